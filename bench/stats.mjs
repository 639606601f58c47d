// The few numbers that rounds are told by. Medians, because one round that met a busy machine must not move the result;
// the spread beside it, because a median alone hides how far the rounds were apart.

/**
 * @param {readonly number[]} values
 * @param {number} p from 0 to 1
 */
export function quantile(values, p) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * p;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

/** @param {readonly number[]} values */
export function median(values) {
  return quantile(values, 0.5);
}

/**
 * Half the distance between the lowest and the highest, as a share of the median.
 * @param {readonly number[]} values
 */
export function spread(values) {
  return (Math.max(...values) - Math.min(...values)) / 2 / median(values);
}

/**
 * Three significant digits: more would pretend.
 * @param {number} value
 */
export function rounded(value) {
  return Number(value.toPrecision(3));
}

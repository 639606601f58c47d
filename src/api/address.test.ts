// Proves that an input arrives as it was sent, whatever its ids are, and that no id shares a path with another.
// Expected texts are written out here, never computed by the code under test.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressOf, idOf, membersOf, queryOf, routeOf, segmentOf } from "./address.ts";
import { type Operation, operationSpecs } from "./operations.ts";

describe("ids in paths", () => {
  it("every well-formed id arrives as it was, in one segment that no proxy rewrites", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (id) => {
        const segment = segmentOf(id);
        expect(idOf(segment)).toBe(id);
        expect(segment).toMatch(/^[~\w.%:@-]+$/);
        expect(new URL(`http://h/v1/runs/${segment}/events`).pathname).toBe(`/v1/runs/${segment}/events`);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["order-17", "order-17"],
    ["a:b@c", "a%3Ab%40c"],
    ["order/42", "~b3JkZXIvNDI"],
    ["..", "~Li4"],
    [".", "~Lg"],
    ["~x", "~fng"],
    ["100%", "~MTAwJQ"],
    ["été", "~w6l0w6k"],
    ["\ufeffx", "~77u_eA"],
  ])("%j travels as %s", (id, segment) => {
    expect([segmentOf(id), idOf(segment)]).toEqual([segment, id]);
  });

  it("a segment that nobody wrote is no id", () => {
    for (const bad of ["%", "%ff", "~_w", "~A", "~QQ==", "~Q Q", "~QR"]) expect(idOf(bad), bad).toBeUndefined();
    expect(idOf("order%2F42")).toBe("order/42");
  });
});

describe("queries", () => {
  it("arrive as they were sent", () => {
    const input = { status: ["FAILED", "CANCELLED"], tags: { "a.b": "1=2&3", shop: "bern" }, workflow: "ö", limit: 5, none: undefined };
    const text = queryOf(input);
    expect(text).toBe("status=FAILED&status=CANCELLED&tags.a.b=1%3D2%263&tags.shop=bern&workflow=%C3%B6&limit=5");
    expect(membersOf(new URLSearchParams(text))).toEqual({
      status: ["FAILED", "CANCELLED"],
      tags: { "a.b": "1=2&3", shop: "bern" },
      workflow: "ö",
      limit: "5",
    });
    for (const twice of ["limit=1&limit=2", "tags.a=1&tags.a=2"]) expect(membersOf(new URLSearchParams(twice))).toBeUndefined();
    expect(membersOf(new URLSearchParams("status=FAILED"))).toEqual({ status: ["FAILED"] });
    expect(Object.keys(membersOf(new URLSearchParams("__proto__=x&limit=1"))!)).toEqual(["__proto__", "limit"]);
  });
});

describe("addresses", () => {
  it("path members are in the path, the rest in the query of a GET or the body of a POST", () => {
    expect(addressOf("runs.result", { id: "a/b", wait: 25 })).toEqual({
      method: "GET",
      path: "/v1/runs/~YS9i/result?wait=25",
      body: undefined,
    });
    expect(addressOf("runs.signal", { id: "o", name: "go", payload: 1n })).toEqual({
      method: "POST",
      path: "/v1/runs/o/signals",
      body: { name: "go", payload: 1n },
    });
    expect(addressOf("signals.get", { id: "o", name: "..", signalId: "x y" }).path).toBe("/v1/runs/o/signals/~Li4/~eCB5");
  });

  it("a run whose id is a word of another route is reached by its encoded id", () => {
    expect(addressOf("runs.get", { id: "count" }).path).toBe("/v1/runs/~Y291bnQ");
    expect(addressOf("runs.get", { id: "guarantees" }).path).toBe("/v1/runs/~Z3VhcmFudGVlcw");
    expect(addressOf("runs.steps", { id: "count" }).path).toBe("/v1/runs/count/steps");
    expect(addressOf("runs.count", { workflow: "count" }).path).toBe("/v1/runs/count?workflow=count");
    for (const operation of Object.keys(operationSpecs) as Operation[]) {
      const { method, parts } = routeOf(operation);
      const words = Object.fromEntries(parts.filter((p) => p.startsWith("{")).map((p) => [p.slice(1, -1), "count"]));
      const { path } = addressOf(operation, words);
      const meant = (Object.keys(operationSpecs) as Operation[]).filter(
        (o) => routeOf(o).method === method && `/v1/${routeOf(o).parts.join("/")}` === path,
      );
      expect(meant, operation).toEqual(parts.some((p) => p.startsWith("{")) ? [] : [operation]);
    }
  });

  it("every operation has a route, and no two share one", () => {
    const routes = (Object.keys(operationSpecs) as Operation[]).map((o) => {
      const { method, parts } = routeOf(o);
      return `${method} ${parts.map((p) => (p.startsWith("{") ? "*" : p)).join("/")}`;
    });
    expect(new Set(routes).size).toBe(routes.length);
  });
});

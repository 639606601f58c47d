// How often this process called connect(): `pawl run` of a file that exports no workflow and opens a client is the run of a program. It must never
// touch Node: browsers load it.
let opened = 0;

export function clientsOpenedHere(): number {
  return opened;
}

export function noteClientOpened(): void {
  opened++;
}

/** What disks, power cuts and half-done copies make of a file; `random` gives numbers from 0 up to 1. */
export function damage(whole: Buffer, random: () => number): Buffer {
  const below = (limit: number) => Math.floor(random() * limit);
  const at = below(whole.length);
  const page = at - (at % 4096);
  const pageEnd = Math.min(page + 4096, whole.length);
  const length = 1 + below(Math.min(64, whole.length - at));
  const around = (middle: Buffer) =>
    Buffer.concat([whole.subarray(0, at), middle, whole.subarray(at + length)]);
  const noise = () => Buffer.from(Array.from({ length }, () => below(256)));
  const kinds = [
    () => {
      const flipped = Buffer.from(whole);
      flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << below(8)), at);
      return flipped;
    },
    () => whole.subarray(0, at),
    () => around(Buffer.alloc(length)),
    () => around(noise()),
    () => around(Buffer.alloc(0)),
    () => Buffer.concat([whole.subarray(0, at + length), whole.subarray(at)]),
    () => Buffer.concat([whole, noise()]),
    () => Buffer.alloc(whole.length),
    () => Buffer.from(whole).fill(0xff, at, at + length),
    () => Buffer.from(whole).fill(0, page, pageEnd),
    () => Buffer.from(whole).fill(whole.subarray(-4096), page, pageEnd),
  ];
  return (kinds[below(kinds.length)] ?? (() => whole))();
}

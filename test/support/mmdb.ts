import { writeFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';

type Value = string | number | { [name: string]: Value } | Value[];
type Branch = Node | number | undefined;
type Node = [Branch, Branch];

/** Writes a region file in the format MMDB (version 2.0, records of 24 bits). @param networks `FR`, or `US-TX` by CIDR */
export function writeMmdb(
  path: string,
  networks: Record<string, string>,
  { builtAt = new Date(), ipVersion = 6 } = {},
): void {
  const root: Node = [undefined, undefined];
  const data: Buffer[] = [];
  for (const [cidr, place] of Object.entries(networks)) {
    const [address, length] = ipaddr.parseCIDR(cidr);
    const bytes = [
      ...(ipVersion === 6 && address.kind() === 'ipv4' ? Array<number>(12).fill(0) : []),
      ...address.toByteArray(),
    ];
    const path = bytes.flatMap((byte) => [...byte.toString(2).padStart(8, '0')].map(Number) as (0 | 1)[]);
    const steps = path.slice(0, bytes.length * 8 - (address.toByteArray().length * 8 - length));
    const last = steps.pop() ?? 0;
    let node = root;
    for (const step of steps) node = (node[step] ??= [undefined, undefined]) as Node;
    node[last] = data.reduce((bytes, part) => bytes + part.length, 0);
    const [country = '', state] = place.split('-');
    data.push(encode({ country: { iso_code: country }, ...(state && { subdivisions: [{ iso_code: state }] }) }));
  }
  const nodes = [root];
  for (const node of nodes) for (const branch of node) if (Array.isArray(branch)) nodes.push(branch);
  const record = (branch: Branch) =>
    Array.isArray(branch) ? nodes.indexOf(branch) : nodes.length + (branch === undefined ? 0 : 16 + branch);
  const tree = Buffer.alloc(nodes.length * 6);
  nodes.forEach((node, at) => node.forEach((branch, side) => tree.writeUIntBE(record(branch), at * 6 + side * 3, 3)));
  const facts = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: Math.floor(builtAt.getTime() / 1000),
    database_type: 'Test-City',
    ip_version: ipVersion,
    node_count: nodes.length,
    record_size: 24,
  };
  const marker = Buffer.from('\u{AB}\u{CD}\u{EF}MaxMind.com', 'latin1');
  writeFileSync(path, Buffer.concat([tree, Buffer.alloc(16), ...data, marker, encode(facts)]));
}

/** Fewer than 29 characters and parts. */
function encode(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.from([(2 << 5) | value.length, ...Buffer.from(value)]);
  if (typeof value === 'number')
    return Buffer.from([(6 << 5) | 4, ...new Uint8Array(new Uint32Array([value]).buffer).toReversed()]);
  if (Array.isArray(value)) return Buffer.concat([Buffer.from([value.length, 11 - 7]), ...value.map(encode)]);
  const parts = Object.entries(value).flatMap(([name, part]) => [encode(name), encode(part)]);
  return Buffer.concat([Buffer.from([(7 << 5) | (parts.length / 2)]), ...parts]);
}

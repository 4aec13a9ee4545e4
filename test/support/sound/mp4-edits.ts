/** An entry of an edit list (ISO/IEC 14496-12, 8.6.6): thousandths of a second, and the media time or -1. */
export type Edit = [length: number, mediaTime: number];

/** An M4A whose index comes first, with another edit list. */
export function withEdits(file: Buffer, edits: Edit[]): Buffer {
  const former = file.indexOf('edts') - 4;
  const formerBytes = file.readUInt32BE(former);
  const list = Buffer.alloc(8 + 16 + 12 * edits.length);
  list.writeUInt32BE(list.length, 0);
  list.write('edts', 4, 'latin1');
  list.writeUInt32BE(list.length - 8, 8);
  list.write('elst', 12, 'latin1');
  list.writeUInt32BE(edits.length, 20);
  const scale = file.readUInt32BE(file.indexOf('mvhd') + 16);
  for (const [index, [length, mediaTime]] of edits.entries()) {
    list.writeUInt32BE((length * scale) / 1000, 24 + 12 * index);
    list.writeInt32BE(mediaTime, 28 + 12 * index);
    list.writeUInt32BE(0x1_0000, 32 + 12 * index);
  }
  const added = list.length - formerBytes;
  const changed = Buffer.concat([file.subarray(0, former), list, file.subarray(former + formerBytes)]);
  for (const type of ['moov', 'trak']) {
    const at = changed.indexOf(type) - 4;
    changed.writeUInt32BE(changed.readUInt32BE(at) + added, at);
  }
  const offsets = changed.indexOf('stco') + 8;
  for (let entry = 0; entry < changed.readUInt32BE(offsets); entry += 1) {
    const at = offsets + 4 + 4 * entry;
    changed.writeUInt32BE(changed.readUInt32BE(at) + added, at);
  }
  return changed;
}

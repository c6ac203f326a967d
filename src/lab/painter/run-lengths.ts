/**
 * The visible mask of one object as run lengths over the row-major picture: first the pixels
 * outside, then inside, and so on, as COCO counts them (but by rows).
 */
export function runLengths(owners: Uint8Array, object: number): number[] {
  const lengths: number[] = [];
  let inside = false;
  let length = 0;
  for (const owner of owners) {
    if ((owner === object) !== inside) {
      lengths.push(length);
      inside = !inside;
      length = 0;
    }
    length++;
  }
  lengths.push(length);
  return lengths;
}

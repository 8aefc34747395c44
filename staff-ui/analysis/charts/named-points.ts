type Point = { readonly id: string; readonly name: string; readonly x: number; readonly y: number };

/** Where the name of a dot stands: to the right, left, above or below. */
export type Place = { readonly dx: number; readonly dy: number; readonly anchor: 'start' | 'middle' | 'end' };
type Box = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };

const PLACES: readonly Place[] = [
  { dx: 9, dy: 0, anchor: 'start' },
  { dx: -9, dy: 0, anchor: 'end' },
  { dx: 0, dy: -14, anchor: 'middle' },
  { dx: 0, dy: 14, anchor: 'middle' },
  { dx: 8, dy: -12, anchor: 'start' },
  { dx: 8, dy: 12, anchor: 'start' },
  { dx: -8, dy: -12, anchor: 'end' },
  { dx: -8, dy: 12, anchor: 'end' },
];

/**
 * Where the names of dots stand, so that none covers a dot or another name: a name without room is left out, since the dot itself says it.
 * `width`, `height`: of one unit of x and y, in pixels.
 */
export const namePlaces = (points: readonly Point[], width: number, height: number): ReadonlyMap<string, Place> => {
  const at = ({ x, y }: Point) => ({ x: x * width, y: -y * height });
  const taken: Box[] = points.map((point) => boxAt(at(point), 6));
  const places = new Map<string, Place>();
  for (const point of points) {
    const place = PLACES.find((one) => !taken.some((box) => overlaps(box, nameBox(at(point), point.name, one))));
    if (!place) continue;
    places.set(point.id, place);
    taken.push(nameBox(at(point), point.name, place));
  }
  return places;
};

const boxAt = ({ x, y }: { readonly x: number; readonly y: number }, r: number): Box => ({
  left: x - r,
  right: x + r,
  top: y - r,
  bottom: y + r,
});

const nameBox = ({ x, y }: { readonly x: number; readonly y: number }, name: string, { dx, dy, anchor }: Place): Box => {
  const width = 8 * name.length;
  const left = x + dx - (anchor === 'start' ? 0 : anchor === 'end' ? width : width / 2);
  return { left, right: left + width, top: y + dy - 7, bottom: y + dy + 7 };
};

const overlaps = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

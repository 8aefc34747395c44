/** The body once for each place of it that `damage` changes, with the path of that place. */
export const damaged = (
  body: unknown,
  damage: (value: unknown) => unknown,
  path: readonly string[] = [],
): { path: string; body: unknown }[] => {
  const changed = damage(body);
  if (changed !== undefined) return [{ path: path.join('.'), body: changed }];
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) =>
    damaged(value, damage, [...path, key]).map((one) => ({
      path: one.path,
      body: Array.isArray(body)
        ? body.map((item: unknown, index) => (index === Number(key) ? one.body : item))
        : { ...body, [key]: one.body },
    })),
  );
};

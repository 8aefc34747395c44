/**
 * One filling of a projection's tables, from the beginning of the log. A changed shape or meaning is a new version; the same version filled
 * once more, because somebody asked for it or the log was replaced, is a new generation.
 */
export type BuildId = { readonly name: string; readonly version: number; readonly generation: number };

/** `results v3`, `results v3.1` */
export const buildName = ({ name, version, generation }: BuildId): string =>
  `${name} v${version}${generation === 0 ? '' : `.${generation}`}`;

export const isSameBuild = (one: BuildId, other: BuildId): boolean =>
  one.name === other.name && one.version === other.version && one.generation === other.generation;

/** For `(projection, version, generation) in (...)`. Names were checked where the projection was declared, so they may stand in SQL. */
export const buildTuples = (builds: readonly BuildId[]): string =>
  builds.map(({ name, version, generation }) => `('${name}', ${version}, ${generation})`).join(', ');

/** The condition that a row of the engine's tables is about the build. */
export const isBuild = (build: BuildId): string => `(projection, version, generation) in (${buildTuples([build])})`;

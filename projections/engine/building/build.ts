/**
 * One set of a projection's tables, built from the beginning of the log. A changed shape or meaning is a new version; a rebuild of the
 * same version, requested or because the log was replaced, is a new generation.
 */
export type BuildId = { readonly name: string; readonly version: number; readonly generation: number };

/** `results v3`, `results v3.1` */
export const buildName = ({ name, version, generation }: BuildId): string =>
  `${name} v${version}${generation === 0 ? '' : `.${generation}`}`;

export const isSameBuild = (one: BuildId, other: BuildId): boolean =>
  one.name === other.name && one.version === other.version && one.generation === other.generation;

/** For `(projection, version, generation) in (...)`. Names were validated when the projection was declared, so they are safe in SQL. */
export const buildTuples = (builds: readonly BuildId[]): string =>
  builds.map(({ name, version, generation }) => `('${name}', ${version}, ${generation})`).join(', ');

/** The SQL condition for the rows of the engine's tables that belong to the build. */
export const isBuild = (build: BuildId): string => `(projection, version, generation) in (${buildTuples([build])})`;

import type { Position } from '../../../events/store/port.ts';
import { isSameBuild } from '../building/build.ts';
import { START } from '../building/checkpoint.ts';
import type { Coordinator } from './coordinator.ts';
import { retire, type BuildInstance } from '../subscription/instance.ts';
import type { Instances } from './instances.ts';
import type { SeenBuild } from './lease.ts';

export type HeartbeatOptions = {
  readonly coordinator: Coordinator;
  readonly instances: Instances;
  /** Called for instances whose lease this process has taken, or whose tables were created again. */
  readonly onGained: (instances: readonly BuildInstance[]) => void;
};

/** What each heartbeat tells about the builds: which this process is to work on, which another has taken, and which are gone. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /**
   * @returns whether no other process is there, and nothing is under way
   * @throws DatabaseUnavailable, or another error of PostgreSQL
   */
  async beat(): Promise<boolean> {
    const { coordinator, instances, onGained } = this.#options;
    const all = instances.all;
    const positionsBefore = new Map(all.map((instance) => [instance, instance.position]));
    const { builds, servedVersions: shown, isAlone } = await coordinator.beat(instances.areSteady);
    for (const seen of builds) this.#see(seen, positionsBefore);
    const isSeen = (instance: BuildInstance, mine = false): boolean =>
      builds.some((seen) => isSameBuild(seen, instance) && (seen.mine || !mine));
    this.#leave(
      all.filter((instance) => instance.state !== 'retired' && !isSeen(instance)),
      shown,
    );
    await coordinator.report(instances.in('filling', 'running', 'stopped'));
    const gained = instances.in('standby').filter((instance) => isSeen(instance, true));
    if (gained.length > 0) onGained(gained);
    return isAlone;
  }

  /** `positionsBefore`: the instances' positions before the heartbeat. */
  #see(seen: SeenBuild, positionsBefore: ReadonlyMap<BuildInstance, Position>): void {
    const { coordinator, instances, onGained } = this.#options;
    const instance = instances.of(seen);
    // Another build is served instead, perhaps switched by another process.
    if (instance.serving && !seen.serving) coordinator.sweepSoon();
    instance.serving = seen.serving;
    instance.stale = seen.stale;
    if (instance.state === 'retired') return;
    if (!seen.mine) {
      instances.standBy(instance);
      instance.position = seen.position;
      if (seen.trouble === null) delete instance.error;
      else instance.error = seen.trouble;
    } else if (instance.state === 'stopped' && instance.recordedError !== null && seen.trouble === null) {
      // An operator has fixed the cause.
      instance.again.raise();
    } else if (instance.state === 'running' && seen.position < (positionsBefore.get(instance) ?? START)) {
      // Its tables were dropped and created again meanwhile.
      onGained([instance]);
    }
    instance.recordedError = seen.trouble;
  }

  /** Their tables are gone: a newer version is served, or another build of the same version, which is a separate instance. */
  #leave(retired: readonly BuildInstance[], serving: ReadonlyMap<string, number>): void {
    const { instances } = this.#options;
    for (const instance of retired) {
      const version = serving.get(instance.name) ?? 0;
      instances.become(instance, 'retired');
      if (version > instance.version)
        retire(instance, `version ${instance.version} was replaced by version ${version}, which this program does not know`);
      else instances.remove(instance);
    }
  }
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../../run/apps.ts';
import { readSettings } from '../../run/settings.ts';
import { variables } from '../../run/variables.ts';

/** compose.yaml and Dockerfile, as far as they can be held against the program without running containers. */
type Service = {
  image?: string;
  build?: string;
  environment?: Record<string, string | number>;
  depends_on?: Record<string, unknown> | readonly string[];
  volumes?: readonly string[];
  profiles?: readonly string[];
  deploy?: { replicas: number };
};
const file = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  networks: { default: { ipam: { config: readonly { subnet: string }[] } } };
};
const services = Object.entries(file.services);
/** `${NAME:-default}` as it is where nobody sets anything. */
const byDefault = (value: string | number): string => String(value).replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');

test('every process of Marktrail is given settings that the program knows, with values that it takes', () => {
  const own = services.filter(([, { build }]) => build !== undefined);
  expect(own.map(([name, { deploy }]) => [name, deploy?.replicas])).toEqual([
    ['api', 2],
    ['projector', 2],
  ]);
  for (const [name, { environment = {} }] of own) {
    expect(Object.keys(variables.shape)).toEqual(expect.arrayContaining(Object.keys(environment)));
    const settings = readSettings(Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, byDefault(value)])));
    expect(settings.role).toBe(name);
    for (const url of [settings.databaseUrl, settings.eventStoreUrl, settings.smtpUrl])
      expect(Object.keys(file.services)).toContain(new URL(url ?? '').hostname);
  }
  const inImage = [...readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/(\w+)=/g)].map(([, name]) => name);
  expect(Object.keys(variables.shape)).toEqual(
    expect.arrayContaining(['NODE_ENV', 'HOST', 'PORT', 'DATA_DIR'].filter((one) => inImage.includes(one))),
  );
});

test('what it names is there: services that are waited for, volumes, files, and a version of each image', () => {
  for (const [name, { image = '', depends_on = [], volumes = [] }] of services) {
    expect(Object.keys(file.services)).toEqual(expect.arrayContaining(Array.isArray(depends_on) ? depends_on : Object.keys(depends_on)));
    for (const [from = ''] of volumes.map((volume) => volume.split(':')))
      if (from.startsWith('./')) expect(existsSync(join(root, from)), from).toBe(true);
      else expect(Object.keys(file.volumes)).toContain(from);
    if (!['api', 'projector'].includes(name)) expect(image).toMatch(/:[\w.-]*\d/);
  }
  expect(services.filter(([, { profiles }]) => profiles?.includes('cluster'))).toHaveLength(3);
  for (const [, script] of readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/(run\/[\w/.]+\.(?:ts|mjs))/g))
    expect(existsSync(join(root, script ?? ''))).toBe(true);
});

test('the address of who asks comes through: the door believes private networks, the processes behind it the door; and it passes no metrics on', () => {
  const [{ subnet = '' } = {}] = file.networks.default.ipam.config;
  expect(file.services['api']?.environment?.['TRUSTED_PROXIES']).toBe(subnet);
  expect(readSettings({ TRUSTED_PROXIES: byDefault(subnet) }).trustedProxies).toEqual([byDefault(subnet)]);
  const door = readFileSync(join(root, 'Caddyfile'), 'utf8');
  for (const line of ['trusted_proxies static private_ranges', 'respond /api/metrics 404', 'reverse_proxy api:3000'])
    expect(door).toContain(`\t${line}\n`);
});

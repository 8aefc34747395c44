/** The address in `EVENTSTORE_URL`, parsed. Contains the password: show only `label`. */
export type Address = {
  /** host:port, several of them, or the path of a socket; never a password */
  readonly label: string;
  readonly endpoints: readonly [Endpoint | string, ...Endpoint[]];
  /** Whether the endpoints are only asked for the leader of their cluster. */
  readonly discover: 'dns' | 'gossip' | 'no';
  readonly tls: boolean;
  readonly credentials?: { readonly username: string; readonly password: string };
  readonly files: { readonly [option in FileOption]?: string };
  readonly numbers: { readonly [option in NumberOption]?: number };
};

export type Endpoint = { readonly address: string; readonly port: number };

/** The message says what is wrong with the URL without repeating it. */
export class WrongAddress extends Error {
  override readonly name = 'WrongAddress';
}

/**
 * Parses `esdb://`, `esdb+discover://` (with the options of EventStoreDB's own clients) or `unix:/path/of/a/socket`. From 25.0 on the
 * server is called KurrentDB; addresses may then begin with `kurrentdb` or `kdb`.
 *
 * Not left to the client, which prints the URL with its password if it does not know an option.
 *
 * @throws WrongAddress
 */
export const parseAddress = (url: string): Address => {
  const text = url.trim();
  if (text.startsWith('unix:')) return socketAt(text);
  const found =
    /^(?:esdb|kurrentdb|kurrent|kdb)(?<discover>\+discover)?:\/\/(?:(?<login>[^/?]*)@)?(?<hosts>[^/?@]+)\/?(?:\?(?<query>.*))?$/s.exec(
      text,
    )?.groups;
  if (!found) throw new WrongAddress(EXAMPLES);
  const { discover, login, hosts = '', query = '' } = found;
  const [first, ...others] = hosts.split(',').map(endpointIn);
  if (!first) throw new WrongAddress(EXAMPLES);
  return {
    label: hosts,
    endpoints: [first, ...others],
    discover: discover !== undefined ? 'dns' : others.length > 0 ? 'gossip' : 'no',
    ...(login === undefined ? {} : { credentials: credentialsIn(login) }),
    ...optionsIn(query),
  };
};

/** Whether an address is meant for an EventStoreDB, valid or not. */
export const isEventStoreAddress = (url: string): boolean => /^((esdb|kurrentdb|kurrent|kdb)(\+discover)?|unix):/i.test(url.trim());

const EXAMPLES = 'expected esdb://user:password@host:2113, esdb+discover://cluster:2113 or unix:/path/of/a/socket';

/** Options that are accepted and ignored: appends are never batched, and have our own time-out. */
const WITHOUT_EFFECT = ['connectionname', 'defaultdeadline', 'throwonappendfailure'];

const FILES = { tlscafile: 'tlsCAFile', usercertfile: 'userCertFile', userkeyfile: 'userKeyFile' } as const;
type FileOption = (typeof FILES)[keyof typeof FILES];

const NUMBERS = {
  maxdiscoverattempts: 'maxDiscoverAttempts',
  discoveryinterval: 'discoveryInterval',
  gossiptimeout: 'gossipTimeout',
  keepaliveinterval: 'keepAliveInterval',
  keepalivetimeout: 'keepAliveTimeout',
} as const;
type NumberOption = (typeof NUMBERS)[keyof typeof NUMBERS];

const socketAt = (url: string): Address => {
  if (!/^unix:\/(?!\/)./.test(url)) throw new WrongAddress('a socket needs an absolute path, as in unix:/run/eventstore.sock');
  return { label: url, endpoints: [url], discover: 'no', tls: false, files: {}, numbers: {} };
};

const endpointIn = (host: string): Endpoint => {
  const [, address, port = '2113'] = /^(\[[0-9a-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i.exec(host) ?? [];
  if (address === undefined || Number(port) > 65_535)
    throw new WrongAddress('the part after the @ must be host:port, or several separated by commas');
  return { address, port: Number(port) };
};

const credentialsIn = (login: string): { username: string; password: string } => {
  const [, username, password] = /^([^:]+):(.+)$/s.exec(login) ?? [];
  if (username === undefined || password === undefined)
    throw new WrongAddress('the part before the @ must be a user name and a password, as in user:password@host');
  return { username: decoded(username), password: decoded(password) };
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new WrongAddress('a % in a user name, password or option must be written as %25');
  }
};

const optionsIn = (query: string): Pick<Address, 'tls' | 'files' | 'numbers'> => {
  let tls = true;
  const files: { [option in FileOption]?: string } = {};
  const numbers: { [option in NumberOption]?: number } = {};
  for (const pair of query.split('&').filter((part) => part !== '')) {
    const [key = '', ...rest] = pair.split('=');
    const name = key.toLowerCase().replaceAll(/[_-]/g, '');
    const value = decoded(rest.join('='));
    if (name === 'tls') tls = yesOrNo(key, value);
    else if (isOneOf(FILES, name)) files[FILES[name]] = value;
    else if (isOneOf(NUMBERS, name)) numbers[NUMBERS[name]] = numberIn(key, value);
    else if (name === 'nodepreference') onlyLeader(value);
    else if (name === 'tlsverifycert') onlyVerified(yesOrNo(key, value));
    else if (!WITHOUT_EFFECT.includes(name)) throw new WrongAddress(`unknown option ${key}`);
  }
  if ((files.userCertFile === undefined) !== (files.userKeyFile === undefined)) {
    throw new WrongAddress('userCertFile and userKeyFile must be set together');
  }
  return { tls, files, numbers };
};

const isOneOf = <Names extends object>(names: Names, name: string): name is keyof Names & string => Object.hasOwn(names, name);

const yesOrNo = (key: string, value: string): boolean => {
  if (value !== 'true' && value !== 'false') throw new WrongAddress(`the option ${key} must be true or false`);
  return value === 'true';
};

const numberIn = (key: string, value: string): number => {
  if (!/^-?\d{1,9}$/.test(value)) throw new WrongAddress(`the option ${key} must be a number`);
  return Number(value);
};

/** Only the leader guarantees that a read sees what was just written. */
const onlyLeader = (value: string): void => {
  if (value.toLowerCase() !== 'leader') throw new WrongAddress('the option nodePreference can only be leader');
};

const onlyVerified = (verified: boolean): void => {
  if (!verified) throw new WrongAddress('certificates are always verified: set the authority with tlsCAFile');
};

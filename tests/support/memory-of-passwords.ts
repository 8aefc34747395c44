/** For tests/run/start.test.ts: says by how many megabytes the process has grown after passwords were checked. */
import { Passwords } from '../../api/auth/password/password-hash.ts';

const passwords = new Passwords();
const hash = await passwords.hash('correct-horse');
const before = process.memoryUsage().rss;
await Promise.all(Array.from({ length: 8 }, () => passwords.verify({ hash, password: 'correct-horse' })));
console.log((process.memoryUsage().rss - before) / 1024 / 1024);

/** Fields shared by several requests. Their messages are shown to people. */
import { z } from 'zod';
import { MAX_LABEL, MAX_UPLOAD_ROWS } from './limits.ts';
import { oneLine, REQUIRED, VISIBLE } from './rules.ts';

export const id = z.uuid().toLowerCase();
export const line = z.string().overwrite(oneLine);
export const label = line.min(1, REQUIRED).max(MAX_LABEL).regex(VISIBLE, REQUIRED);
export const isoDate = z.iso.date();
/** Whether a date or instant is in the years 1000 to 3000; databases have no year 0. */
export const isInCalendar = (iso: string): boolean => iso >= '1000' && iso < '3001';
/** The school's own StudentID: text, never a number (00123 stays 00123). */
export const admissionNo = line.min(1, 'Required').max(20).regex(VISIBLE, 'Required');
/** A StudentID as the file of an upload has it. Longer than any in a school it is nobody's, and is listed with those that cannot be found. */
export const admissionNoInFile = line.min(1, 'Required').max(MAX_LABEL).regex(VISIBLE, 'Required');
/**
 * What no honest name holds: control characters except tabs and line breaks, which a paste may bring, and what turns the text around it. In
 * a label it is taken away; the name of a person stands in mails, lists and logs beside others, so there it is refused.
 */
// oxlint-disable-next-line no-control-regex -- these are what it looks for
const TURNING = /[\0-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069]/;
const honest = z.string().refine((text) => !TURNING.test(text), 'A name has no control characters. Type it again.');
/** The name that somebody goes by, at most this long; an empty one is `required`. */
export const nameOf = (most: number, required: string) => honest.overwrite(oneLine).min(1, required).max(most).regex(VISIBLE, required);
export const personName = nameOf(50, 'Required');
/** The name of a person as the file of an upload has it: a file of hundreds is not refused for it. */
export const personNameInFile = line.min(1, 'Required').max(50).regex(VISIBLE, 'Required');
export const NO_WEB_ADDRESS = 'A name cannot hold a web address.';
/** A name in mails, which must not lead anywhere else. */
export const mailed = (name: z.ZodString) => name.refine((text) => !holdsWebAddress(text), NO_WEB_ADDRESS);
export const accountName = mailed(personName);
export const schoolName = mailed(label);
/** Trimmed, because addresses copied from a mail often have spaces around them. */
export const email = z.string('Invalid e-mail.').trim().meta({ format: 'email' }).pipe(z.email('Invalid e-mail.').max(254));
/** Ignores case, as mailboxes and log-ins do. */
export const sameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
export const password = z.string().min(8, 'Min 8 characters').max(128);
export const fileName = line.max(255);

/** Links of two things, as many as a file may have rows. */
export const linksOf = <Shape extends z.ZodRawShape>(pair: Shape) => z.array(z.strictObject(pair)).min(1).max(MAX_UPLOAD_ROWS);

/** The schema with a rule of rules.ts, which forms ask too. */
export const ruled = <Schema extends z.ZodType>(schema: Schema, wrong: (value: z.output<Schema>) => string | undefined): Schema =>
  schema.check(({ value, issues }) => {
    const message = wrong(value);
    if (message !== undefined) issues.push({ code: 'custom', message, input: value });
  });

/**
 * Whether a mail program would turn part of a text into a link, so that no name becomes one.
 *
 * `https://...`, `www.something`, or a domain, such as `marks.example` or `t.co/x`. Not `St. Mary's C.E. School`, `J.R.Smith`, `J.Ng` or
 * `Dr.Ng`: single capital letters and titles before a capitalised word are no domain, although Ng has one.
 */
const holdsWebAddress = (text: string): boolean =>
  SCHEME.test(text) ||
  WWW.test(text) ||
  [...text.matchAll(DOTTED)].some(([, labels = '', last = '', path]) => isDomain(labels, last, path));

const DOT = '[.\\u3002\\uff0e\\uff61]';
const PART = '[\\p{L}\\p{N}_-]+';
const SCHEME = /[\p{L}\p{N}]:[/\\]{2}/u;
const WWW = new RegExp(`(?<![\\p{L}\\p{N}])www${DOT}\\S`, 'iu');
/** Words with dots and no blanks between them: all but the last, the last, and the path or port behind it. */
const DOTTED = new RegExp(`(?<![\\p{L}\\p{N}_-])(${PART}(?:${DOT}${PART})*)${DOT}(${PART})(?=([/:?#]\\S)?)`, 'giu');

const isDomain = (labels: string, last: string, path: string | undefined): boolean => {
  if (!/^(\p{L}{2,}|xn--.+)$/iu.test(last)) return false;
  if (path !== undefined) return true;
  const isWritten = /^\p{Lu}/u.test(last) && (INITIALS.test(labels) || TITLE.test(labels));
  return !isWritten && (last.toLowerCase().startsWith('xn--') || TOP_LEVEL.has(last.toLowerCase()));
};

const INITIALS = /^\p{Lu}([.\u3002\uff0e\uff61]\p{Lu})*$/u;
const TITLE = /^(Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Rev|Fr|Sr|St|Ste)$/;

/** Those of countries, those in common use, and those that are reserved. */
const TOP_LEVEL = new Set(
  [
    'ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cc cd cf cg ch ci ck cl cm',
    'cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu',
    'gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma',
    'mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps',
    'pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw',
    'tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw',
    'com net org edu gov mil int arpa info biz name pro aero asia cat coop jobs mobi museum post tel travel xxx',
    'academy accountant agency app art auction audio bank bar beauty best bet bid bike bio blog boats bond bot buzz cam camp cards care cash',
    'casino center cfd chat cheap church city claims click clinic cloud club codes coffee college community company computer',
    'consulting contact cool courses cricket cyou dance date day deals degree delivery dev digital direct directory download earth education',
    'email energy engineering events exchange expert express fail faith family fans finance fit foundation fun fund fyi gallery game games',
    'gdn gift gives global gmbh gold gratis group guide guru hair health help homes host hosting house how icu immo ink institute international',
    'kids land lat law learning lgbt life link live llc loan loans lol love ltd ltda market marketing mba media men mom money monster mov',
    'network new news ngo ninja observer one ong onl online ooo page party photo photos pics pictures pink plus press prof promo properties',
    'protection pub quest racing realty recipes red rent repair report rest review reviews rip rocks run sale sbs school schule science',
    'scot search secure security services sex shop show site ski skin social software solutions space store stream studio study style support',
    'surf systems team tech tips today tools top trade training tube university uno vacations video vip vote wales watch website wiki win',
    'work works world wtf xin xyz yoga zip zone london berlin nyc paris tokyo amsterdam goog google microsoft apple amazon aws',
    'рф рус укр бел онлайн сайт 中国 中國 公司 网络 在线 网址 भारत',
    'example invalid test local localhost internal onion home lan',
  ].flatMap((line) => line.split(' ')),
);

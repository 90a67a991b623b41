import { editDistance } from './edit-distance.ts';

/** Longer names are too far from ours to be typos. */
const longestCompared = 40;
/** A longer list wouldn't help. */
const maxListed = 16;

/**
 * Suggests a different way of writing the same name, another email API's name for it, or the nearest spelling. Never
 * repeats the unknown name, which may be anything.
 *
 * @param known the fields allowed there.
 */
export function unknownFieldMessage(
  name: string,
  known: readonly string[],
  noun: 'field' | 'parameter' = 'field',
): string {
  const advice = adviceOn(name, known);
  if (advice !== undefined) return `unknown ${noun}: ${advice}`;
  if (known.length === 0) return `unknown ${noun}: leave it out`;
  return `unknown ${noun}: leave it out, or use one of ${known.slice(0, maxListed).join(', ')}`;
}

function adviceOn(name: string, known: readonly string[]): string | undefined {
  if (name.length > longestCompared) return undefined;
  const plain = plainOf(name);
  const renamed =
    known.find((field) => plainOf(field) === plain) ??
    otherNames.find(([field, names]) => known.includes(field) && names.includes(plain))?.[0];
  if (renamed !== undefined) return `use ${withHeader(renamed)}`;
  const missing = missingHere.find(
    ([beside, names]) => known.includes(beside) && names.includes(plain),
  );
  if (missing !== undefined) return missing[2];
  const nearest = nearestOf(name, known);
  return nearest && `did you mean ${withHeader(nearest)}?`;
}

/** `idempotency_key`, `Idempotency-Key` and `idempotencykey` are one name. */
const plainOf = (name: string): string => name.toLowerCase().replaceAll(/[_\-\s]/g, '');

/** `undefined` if more than a third of the letters differ. Time is proportional to the length of the name. */
export function nearestOf(name: string, known: readonly string[]): string | undefined {
  const plain = plainOf(name);
  const [nearest] = known
    .map((field) => ({ field, distance: editDistance(plain, plainOf(field)) }))
    .filter(({ field, distance }) => distance * 3 <= Math.max(plain.length, field.length))
    .toSorted((one, other) => one.distance - other.distance);
  return nearest?.field;
}

const withHeader = (field: string): string =>
  field === 'idempotencyKey' ? 'idempotencyKey, or the header Idempotency-Key' : field;

// Names for our request fields in the APIs of Resend, Postmark, SES v2, SendGrid and Mailgun (their public
// documentation, November 2026), and those that people guess. In lower case, without underscores, hyphens and spaces.

/** By our name. The first field that a request has counts. */
export const otherNames: readonly (readonly [field: string, names: readonly string[]])[] = [
  [
    'to',
    ['recipient', 'recipients', 'email', 'toemail', 'toaddress', 'toaddresses', 'destination'],
  ],
  ['from', ['sender', 'fromemail', 'fromaddress', 'fromemailaddress']],
  ['replyTo', ['replytoaddress', 'replytoaddresses']],
  ['sendAt', ['scheduledat', 'deliverytime', 'sendtime', 'scheduledfor']],
  ['tags', ['tag', 'emailtags']],
  ['metadata', ['customargs']],
  ['cc', ['ccaddress', 'ccaddresses', 'carboncopy']],
  ['bcc', ['bccaddress', 'bccaddresses', 'blindcopy']],
  ['subject', ['title', 'subjectline', 'subjectpart']],
  ['htmlContent', ['html', 'htmlbody', 'bodyhtml', 'htmlpart', 'react', 'contenthtml']],
  ['content', ['text', 'textbody', 'bodytext', 'textpart', 'plain', 'plaintext']],
  ['content', ['body', 'message', 'textcontent', 'contenttext']],
  ['attachments', ['files', 'attachedfiles']],
  ['contentBase64', ['content', 'data', 'base64', 'rawcontent', 'body', 'bytes']],
  ['filename', ['name', 'file']],
  ['contentType', ['type', 'mimetype', 'mime', 'mediatype']],
  ['uploadId', ['upload', 'id', 'attachmentid']],
  ['contentId', ['cid', 'inlinecontentid']],
  ['size', ['length', 'bytes', 'contentlength', 'filesize']],
  ['template', ['templatename', 'templatealias', 'templatekey', 'templatearn']],
  ['variables', ['templatemodel', 'templatedata', 'templatevariables', 'dynamictemplatedata']],
  ['variables', ['data', 'model', 'context', 'params', 'substitutions', 'mergevars', 'values']],
  ['policyKey', ['messagestream', 'topicid', 'listmanagementoptions', 'stream', 'category']],
  ['url', ['endpoint', 'uri', 'target', 'webhookurl', 'callbackurl']],
  ['url', ['path', 'href', 'remoteurl', 'link']],
  ['eventTypes', ['events', 'types', 'triggers', 'topics']],
  ['enabled', ['active', 'status', 'disabled']],
  ['subscriptions', ['categories', 'preferences', 'topics']],
  ['categoryKey', ['category', 'key', 'topic', 'id']],
  ['subscribed', ['value', 'subscription', 'optin', 'optedin']],
  ['email', ['address', 'to', 'recipient', 'contact']],
  ['overlapHours', ['overlap', 'hours', 'gracehours', 'graceperiod']],
  ['scopes', ['scope', 'permissions', 'permission', 'abilities', 'accesslevel']],
  ['perMinuteCap', ['ratelimit', 'limit', 'perminute', 'perminutelimit', 'rpm']],
  ['dailyCap', ['dailylimit', 'daycap', 'perday', 'perdaycap', 'quota']],
  ['validUntil', ['expiresat', 'expires', 'expiry', 'expiration', 'expirydate', 'ttl']],
  ['since', ['from', 'after', 'start']],
  ['from', ['since', 'after', 'start', 'startdate']],
  ['until', ['before', 'end', 'enddate']],
  ['limit', ['perpage', 'pagesize', 'count', 'maxresults', 'size', 'first']],
  ['cursor', ['page', 'pagetoken', 'nexttoken', 'nextcursor', 'next', 'offset', 'startingafter']],
];

const notSupported = 'this is not supported';
const perEvent = 'use tracking, with opens and clicks: {"opens": false, "clicks": false}';
const bouncesComeBack =
  'the service receives bounces itself; read them in the timeline, or by a webhook';
const inlineByContentId =
  'give a contentId to show it inside the HTML; without one it is a file beside the text';
const setByService = 'the service sets it; leave it out';

/** Names with no counterpart here, by a field of requests that would have them. */
const missingHere: readonly (readonly [
  beside: string,
  names: readonly string[],
  advice: string,
])[] = [
  ['to', ['returnpath', 'feedbackforwardingemailaddress'], bouncesComeBack],
  ['to', ['configurationsetname'], notSupported],
  ['to', ['trackopens', 'tracklinks', 'trackclicks', 'trackingsettings'], perEvent],
  ['filename', ['disposition', 'contentdisposition', 'inline'], inlineByContentId],
  ['name', ['id', 'version', 'createdat', 'updatedat'], setByService],
  ['url', ['id', 'secret', 'createdat', 'updatedat', 'previoussecretsexpireat'], setByService],
];

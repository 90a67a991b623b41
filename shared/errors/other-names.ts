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
export const missingHere: readonly (readonly [
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

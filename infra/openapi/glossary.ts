import { failingAfterMs } from '#shared/webhooks/endpoint-health';

/**
 * By name, or by the end of a field's path. If an endpoint's field means something else, or more, its own file
 * says so.
 */
export const glossary: Readonly<Record<string, string>> = {
  id: 'The ID. IDs are opaque.',
  createdAt: 'When it was created, in epoch milliseconds.',
  updatedAt: 'When it was last changed, in epoch milliseconds.',
  data: 'The entries of this page.',
  nextCursor: 'Pass it as `cursor` to get the next page. `null` on the last one.',
  limit: 'The most entries a page may have.',
  cursor:
    '`nextCursor` of an earlier answer, unchanged. It works for the same list with the same filters, and for keys of the same organization.',
  'if-match':
    'The versions you have seen, as `ETag` gave them. The request is refused if the resource has a different one.',
  'if-none-match':
    'The version that you have, as `ETag` gave it: the answer is 304 if it is the latest.',
  'accept-encoding':
    'With `gzip` the answer is compressed. The largest documents are only sent that way.',

  // Resend's
  object: 'The type of the object.',
  has_more: 'Whether there are more entries.',
  after: 'The ID of an entry: the page starts after it.',
  before: 'The ID of an entry: the page ends before it.',
  created_at: 'When it was created, in ISO 8601.',
  deleted: '`true`.',

  to: 'Every `to`, if there are several. `toEmail` is the first.',
  cc: 'Bare addresses.',
  bcc: 'Bare addresses. They don’t appear in any header.',
  subject: 'The subject, in one line.',
  content: 'The text body.',
  htmlContent: 'The HTML body. Tracking is added to it.',
  policyKey: '`transactional`, `bulk`, or a policy of the organization.',
  idempotencyKey:
    'The idempotency key, for callers that can’t set the header. With both, they must be the same.',
  'idempotency-key': 'Your name for this one email. Retry with the same key.',
  templateId: 'The template that subject and bodies come from, by its ID.',
  template: 'The template’s alias or ID, instead of `templateId`.',
  templateVersion: 'A version of the template. Without it, the published one.',
  templateLocale: 'The template’s language that was used, if not its own.',
  locale:
    'The language of the email, such as `de-AT`. If the template lacks it, `de` is next, then the template’s own.',
  variables: 'The values of the template’s variables. Objects may be nested.',
  missingVariables: 'Variables that the template uses and the request lacks.',
  attachments: 'The attachments.',
  filename: 'The file’s name as recipients see it. Optional with `url`.',
  contentBase64: 'The file, as base64 with padding on one line.',
  uploadId: 'An upload, instead of `contentBase64`.',
  'attachments.url':
    'An `https://` URL to fetch the file from, instead of `contentBase64`. Fetching all files may take 10 seconds.',
  contentId:
    'Shows the file inside the HTML, where it has `<img src="cid:…">` with this ID. Without it, the file is a plain attachment.',
  contentType: 'The file’s media type.',
  size: 'The file’s size, in bytes.',
  sendId: 'The ID of the send, which also reads its timeline.',
  messageId: 'SES’s ID of the message.',
  reused: '`true` when this is the answer to an earlier request with the same idempotency key.',
  suppressedRecipients: 'The addresses that were left out.',
  'suppressedRecipients.email': 'The address.',
  'suppressedRecipients.reason':
    '`bounce`, `complaint`, `manual`, `unsubscribe` or `unsubscribed_category`.',
  url: 'A URL.',
  method: 'The method of the request.',

  send: 'The send.',
  _id: 'The ID of the send.',
  fromEmail: 'The sender: what `from` named, or the From address of the default domain.',
  toEmail: 'The recipient in `to`. Of a message with several, the first that is not suppressed.',
  endpoint: 'How usage counts it: `send-global` by that endpoint, `send` by any other.',
  attachmentCount: 'How many attachments it had.',
  attachmentBytes: 'Their total size, decoded.',
  failureReason: 'Why it failed.',
  attempt: 'Which attempt it was, from 1.',
  sentAt: 'When SES took it, in epoch milliseconds.',
  messages: 'The messages that SES took, one for each attempt that it accepted.',
  provider: 'Who sent the message.',
  feedbackId: 'Identifies the send in the message’s headers and in SES’s reports.',
  providerMessageId: 'SES’s ID of the message.',
  verdict:
    'What became of it, why, and what to do next: the same words in the console, on the command line and in webhooks.',
  'verdict.code': 'The cause. Codes stay as they are; new ones may come.',
  'verdict.sentence': 'The answer, in a sentence.',
  'verdict.why': 'The part of the sentence that says why. Left out if it arrived or is on its way.',
  'verdict.next': 'What to do next. Left out if there’s nothing to do.',
  'verdict.receiver': 'The receiver, if it documents replies like this one.',
  'receiver.name': 'The name of the receiver.',
  'receiver.page': 'The address of its page about them.',
  events: 'What became of it, oldest first.',
  'events.type': 'What happened.',
  'events.reason': 'For a bounce or complaint: its kind, in SES’s words.',
  'events.recipients': 'The recipients the report is about, if SES names them.',
  diagnostic: 'What the recipient’s mail server answered.',
  'events.url':
    'For a click: where the link leads, without query and fragment; without its path, too, once a recipient was erased.',
  'events.machine': 'For opens and clicks: whether only machines have been seen so far.',
  ts: 'When it happened, in epoch milliseconds.',
  hits: 'For opens and clicks: how often.',
  webhooks: 'The webhook deliveries about it.',
  endpointId: 'The webhook endpoint.',
  lastStatusCode: 'The status code of its answer to the last attempt.',

  paused: 'Whether its sends are refused.',
  tenant: 'The organization’s state as an SES tenant, if it is one.',
  'tenant.sending': 'Whether SES accepts its emails.',
  'tenant.reason': 'Why it is paused, in AWS’s own words.',
  attachmentsEnabled: 'Whether its emails may have attachments.',
  preferencesByAddress:
    'Whether preferences can be read and changed with just the address, without token or key. Default: the deployment’s setting.',
  linkDomain: 'Where the links in its emails lead, if it has a host of its own.',
  formerLinkDomains: 'Hosts where the links of its earlier emails still work.',
  linksDisabled: 'Whether the operator has switched off the tracked links in its emails.',
  identity: 'Its default domain, for sends without `from`.',
  domains: 'Its other domains, for sends that name them in `from`.',
  domain: 'The domain of the From address.',
  'identity.fromEmail': 'The From address for sends without `from`.',
  'identity.status': '`active` once SES has verified the domain.',
  senderName: 'Shown before the From address: `"Example Ltd" <hello@…>`.',
  replyTo: 'Where replies to its emails go. Default: the From address.',
  noticeEmail: 'Where the service writes to the organization, once it is confirmed.',
  noticeEmailState:
    '`pending`: nobody has confirmed it by the link mailed to it, so it gets no notices. `confirmed`: it gets them.',
  footerText: 'Shown in the footer of bulk emails. Separate lines with `\\n`.',
  unsubscribePageUrl: 'The organization’s own unsubscribe page, `https://`.',
  defaultPolicyKey: 'The policy for sends without `policyKey`.',
  keylessReading:
    'Whether a send made by a key without scopes can be read by its ID alone, without a key: then anyone who finds the ID, such as in a log, sees the recipients’ addresses and the subject. Off by default.',
  keepRefusedShapes:
    'Whether names and types in the bodies of refused requests are kept, without any values, to find a program’s mistake by (`shape` in `GET /api/v1/requests`). Absent: not kept.',
  keepContentDays:
    'For how many days the contents of its emails are kept, to be shown and sent again. Absent: not kept.',
  keepsContent: '`false`: emails of this policy are never kept, whatever `keepContentDays` says.',
  sendRetentionDays: 'How many days its sends are kept: at most the deployment’s.',
  kind: '`transactional`: emails that an action of the recipient calls for. `bulk`: emails that people can unsubscribe from.',
  builtIn: 'Whether it’s built in.',

  // Test emails
  test: 'Whether it was made with a test key, so SES never got it. Absent otherwise.',

  scopes: 'What the key may do.',
  key: 'The key itself. Shown once.',
  perMinuteCap:
    'How many recipients a minute it may send to, counting to, cc and bcc. Absent: no cap.',
  dailyCap: 'How many recipients a day (UTC) it may send to. Absent: no cap.',
  validUntil: 'When it expires, in epoch milliseconds.',
  revokedAt: 'When it was revoked, in epoch milliseconds.',
  lastUsedAt: 'When it was last used, to the hour, in epoch milliseconds. Absent: never.',
  tracking:
    'What is tracked in HTML. The email decides, then its policy, then the organization. By default, tracking is on.',
  sendAt: 'When the email goes out, in epoch milliseconds.',
  opens: 'Whether opens are tracked.',
  clicks: 'Whether clicks are tracked.',
  transactionalUnsubscribe:
    'Whether transactional emails have List-Unsubscribe headers. Bulk emails always have them.',
  replacedBy: 'Its successor.',

  sent: 'Emails that SES accepted.',
  delivered: 'Emails that a recipient’s server accepted.',
  bounced: 'Emails that bounced.',
  complained: 'Emails that were reported as spam.',
  opened: 'Emails that were opened.',
  clicked: 'Links that were followed.',

  token: 'The token of a link in an email.',
  email: 'An email address.',
  contact: 'The contact.',
  'contact.id': 'The ID of the contact.',
  categories: 'The categories of the organization.',
  'categories.key': 'The key of the category.',
  'categories.name': 'Its name, for people.',
  subscriptions: 'Which categories the contact gets.',
  categoryKey: 'The key of the category.',
  subscribed: 'Whether the contact gets its emails.',

  name: 'The name.',
  version: 'Starts at 1 and increases with each change.',

  eventTypes:
    'The event types it gets. Empty: all but `email.queued`, including those added later.',
  description: 'Your own note about it.',
  enabled: 'Whether it gets messages.',
  pausedAt: 'Since when it is paused, in epoch milliseconds. Absent while it isn’t.',
  disabled: 'Why and since when it is disabled. Absent while it is enabled.',
  'disabled.reason':
    '`by_owner`: by you. `gone`: it answered 410. `failing`: deliveries failed every attempt for days.',
  'disabled.at': 'Since when, in epoch milliseconds.',
  health: 'How its recent deliveries ended.',
  'health.status': `Whether it is \`well\`, \`retrying\`, \`failing\` or \`disabled\`. \`retrying\`: attempts have failed for less than ${failingAfterMs / 60_000} minutes.`,
  failingSince:
    'When it started failing, in epoch milliseconds: at the first failed attempt since one last succeeded, or at the first delivery counted in `exhausted`, whichever is earlier.',
  exhausted: 'Recent deliveries that failed every attempt.',
  'health.delivered': 'Deliveries that succeeded since the first of those.',
  exhaustedShare: '`exhausted` as a share of both, from 0 to 1.',
  disabledFrom:
    'When one more exhausted delivery may disable it if the trend continues, in epoch milliseconds.',
  outlook: 'What happens next, in a sentence or two.',
  waiting: 'What waits for another attempt.',
  'waiting.count': 'How many deliveries. At least so many if `isExact` is false.',
  'waiting.isExact':
    'Whether all were counted. Otherwise the times are those of the ones due first.',
  'waiting.since': 'When the oldest of them was created, in epoch milliseconds.',
  'waiting.nextAttemptAt':
    'When the next attempt may begin, in epoch milliseconds. Absent while it is paused.',
  exhaustedFrom:
    'When the first of them has used up its attempts if they all fail, in epoch milliseconds. Absent while it is paused.',
  slowUntil:
    'It answered slowly, so until then the scheduled run makes first attempts. In epoch milliseconds.',
  secret: 'The secret that signs the messages. Shown once.',
  previousSecretsExpireAt: 'When the last earlier secret stops signing, in epoch milliseconds.',
  'data.messageId': 'The ID of the message, as in the header `webhook-id`.',
  type: 'The type of the message.',
  status: 'Its current state.',
  attempts: 'The attempts so far, oldest first.',
  'attempts.at': 'When it began, in epoch milliseconds.',
  durationMs: 'How long it took, in milliseconds.',
  statusCode: 'The HTTP status of the endpoint’s answer.',
  error: 'Why there was no answer, for example `timeout` or `blocked_address`.',
  answer: 'The first KB of the answer’s body.',
  redeliveryOf: 'The delivery that this one repeats.',
  redeliveredAs: 'The delivery that repeats this failed one.',
  payload:
    'The body that is posted, byte for byte: `type`, `timestamp` and `data`. Erasing a contact takes the address out of it.',
  nextAttemptAt: 'When the next attempt is due, in epoch milliseconds.',
  processed: 'How many attempts were made: the sum of the others.',
  rescheduled: 'How many will be tried again.',
  failed: 'How many failed for good.',
};

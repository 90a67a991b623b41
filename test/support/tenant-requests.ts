import { sealCursor } from '#shared/table/cursor';
import { sortableTime } from '#shared/table/keys';
import { sendPosition } from '#shared/table/send-keys';
import { contactIdOf, newAuditEntryId, sendIdSchema, slotIdIn } from '#shared/tokens/resource-id';
import { endpointOf, type Route as RouteOfApi } from '../../functions/routes.ts';
import {
  byRoute,
  type Resource,
  type RouteName,
  type RouteTable,
  resourceOf,
} from './every-route.ts';
import { type Call, callService, type Tenant, type TenantService } from './tenant.ts';

/** A request that names what belongs to a tenant. */
export type Ask = {
  /** Takes the place of the path's parameter. */
  readonly id?: string;
  /** Takes that of its second. */
  readonly eventId?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** A text is CSV. */
  readonly body?: unknown;
  /**
   * How another organization's key is answered: the code of a problem and the fields at fault, or its status where the
   * answer has no body; `its own` where it gets a success and sees only what belongs to its own organization.
   */
  readonly stranger: string;
  /** Whom the route admits instead of a manager's key; `nobody` where the test has no such secret. */
  readonly admits?: 'operator' | 'nobody';
};

const own = 'its own';
const operators = { stranger: 'invalid_operator_secret', admits: 'operator' } as const;

const send = ({ contact, policy, template, upload }: Tenant): readonly Ask[] => {
  const mail = { to: contact, subject: 'Hi', content: 'Hi' };
  return [
    { body: mail, stranger: own },
    { body: { ...mail, policyKey: policy }, stranger: 'unknown_policy at policyKey' },
    { body: { to: contact, templateId: template }, stranger: 'validation_failed at templateId' },
    {
      body: { ...mail, attachments: [{ filename: 'a.pdf', uploadId: upload }] },
      stranger: 'unknown_upload at attachments.0.uploadId',
      // No file was put there.
      admits: 'nobody',
    },
  ];
};

const batch = ({ contact, policy, template, upload }: Tenant): readonly Ask[] => {
  const mail = { to: contact, subject: 'Hi', content: 'Hi' };
  const strict = (email: object) => ({ emails: [mail, email], validation: 'strict' });
  return [
    { body: { emails: [mail] }, stranger: own },
    {
      body: strict({ ...mail, policyKey: policy }),
      stranger: 'validation_failed at emails.1.policyKey',
    },
    {
      body: strict({ to: contact, templateId: template }),
      stranger: 'validation_failed at emails.1.templateId',
    },
    {
      body: strict({ ...mail, attachments: [{ filename: 'a.pdf', uploadId: upload }] }),
      stranger: 'validation_failed at emails.1.attachments.0.uploadId',
      // No file was put there.
      admits: 'nobody',
    },
  ];
};

/**
 * The token that a stranger makes of a link in its own mail and the payload of the other's: a link takes no
 * key, so whoever holds it is its owner. For the owner it is the token as it was sent.
 */
function tokenFor(kind: keyof Tenant['links'], its: Tenant, asker: Tenant): string {
  const [keyId, payload] = its.links[kind].split('.');
  return [keyId, payload, asker.links[kind].split('.').at(-1)].join('.');
}

/** Errors in Resend's form have a text in place of fields. */
const sendAsWithResend = ({ contact, template }: Tenant, asker: Tenant): readonly Ask[] => {
  const mail = { from: asker.identity.fromEmail, to: contact };
  return [
    { body: { ...mail, subject: 'Hi', text: 'Hi' }, stranger: own },
    { body: { ...mail, template: { id: template } }, stranger: 'validation_error' },
  ];
};

/** By now the contact is suppressed. */
const newcomerOf = ({ word }: Tenant): string => `newcomer@${word}.example`;
const sendAsWithPostmark = (its: Tenant, asker: Tenant): readonly Ask[] => {
  const { fromEmail: From } = asker.identity;
  const mail = { From, To: newcomerOf(its), Subject: 'Hi', TextBody: 'Hi' };
  return [{ body: mail, stranger: own }];
};
const sendTemplateAsWithPostmark = (its: Tenant, asker: Tenant): readonly Ask[] => {
  const mail = { From: asker.identity.fromEmail, To: newcomerOf(its) };
  return [{ id: '', body: { ...mail, TemplateAlias: its.template }, stranger: '1101' }];
};

/** A message as its receiver has it. */
const signedMessage = { payload: '{}', webhookId: 'msg_1', timestamp: '1', signature: 'v1,x' };

type Asks = (its: Tenant, asker: Tenant) => readonly Ask[];

/** What routes are asked with, by the tenant itself and by a stranger. */
const asks: RouteTable<Asks> = {
  'POST /api/v1/emails/send': send,
  'POST /api/v1/emails/send-global': send,
  'POST /api/v1/emails/batch': batch,
  'POST /api/v1/attachments': () => [{ body: { filename: 'a.pdf', size: 9 }, stranger: own }],
  'GET /api/v1/sends': ({ template, otherKey, contact, send }) => [
    { stranger: own },
    { query: { template }, stranger: own },
    { query: { key: otherKey }, stranger: own },
    { query: { to: contact }, stranger: own },
    { query: { search: send }, stranger: own },
    { query: { search: contact }, stranger: own },
  ],
  'GET /api/v1/sends/export': ({ template, contact }) => [
    { stranger: own },
    { query: { template }, stranger: own },
    { query: { to: contact }, stranger: own },
  ],
  'POST /api/v1/sends/{id}/resend': (its) => [
    { id: its.send, stranger: 'send_not_found' },
    { id: its.send, body: { to: its.contact }, stranger: 'send_not_found' },
  ],
  'PATCH /api/v1/sends/{id}': (its) => [
    { id: its.waiting, body: { sendAt: Date.now() + 7_200_000 }, stranger: 'send_not_found' },
  ],
  'POST /api/v1/sends/{id}/cancel': (its) => [{ id: its.waiting, stranger: 'send_not_found' }],
  'DELETE /api/v1/idempotency-keys/{key+}': ({ word }) => [
    { id: `order-${word}`, stranger: 'idempotency_key_not_found' },
  ],
  'GET /api/v1/preferences': ({ links, contact }) => [
    { query: { token: links.preferences }, stranger: 'contact_not_found' },
    { query: { email: contact }, stranger: 'contact_not_found' },
  ],
  'POST /api/v1/preferences': ({ links, contact, category }) => {
    const subscriptions = [{ categoryKey: category, subscribed: false }];
    return [
      { body: { token: links.preferences, subscriptions }, stranger: 'contact_not_found' },
      {
        body: { email: contact, subscriptions },
        stranger: 'unknown_category at subscriptions.0.categoryKey',
      },
    ];
  },
  'POST /api/v1/suppressions': ({ contact }) => [{ body: { email: contact }, stranger: own }],
  'DELETE /api/v1/suppressions/{email}': ({ suppressed }) => [
    { id: suppressed, stranger: 'suppression_not_found' },
  ],
  'POST /api/v1/suppressions/lift': ({ toBeLifted: diagnostic }) => [
    { body: { ...everything, reason: 'manual', diagnostic, dryRun: false }, stranger: own },
  ],
  'POST /api/v1/suppressions/import': ({ contact }) => [
    { body: `email,reason\n${contact},bounce\n`, stranger: own },
  ],
  'GET /api/v1/recipients/{email}': ({ contact }) => [{ id: contact, stranger: own }],
  'GET /api/v1/contacts': ({ contact }) => [{ query: { prefix: contact }, stranger: own }],
  'GET /api/v1/contacts/{email}': ({ contact }) => [{ id: contact, stranger: 'contact_not_found' }],
  'GET /api/v1/contacts/{email}/export': ({ contact }) => [{ id: contact, stranger: own }],
  'DELETE /api/v1/contacts/{email}': ({ contact }) => [{ id: contact, stranger: own }],
  'GET /api/unsubscribe': (its, asker) => [
    { query: { token: tokenFor('unsubscribe', its, asker) }, stranger: 'contact_not_found' },
  ],
  'POST /api/unsubscribe': (its, asker) => [
    { body: { email: its.contact, organizationId: its.organizationId }, stranger: own },
    { query: { token: tokenFor('unsubscribe', its, asker) }, stranger: 'contact_not_found' },
    { body: { token: tokenFor('unsubscribe', its, asker) }, stranger: 'contact_not_found' },
  ],
  'GET /preferences': (its, asker) => [
    { query: { token: tokenFor('preferences', its, asker) }, stranger: 'contact_not_found' },
  ],
  'POST /preferences': (its, asker) => [
    {
      query: { token: tokenFor('preferences', its, asker) },
      body: {},
      stranger: 'contact_not_found',
    },
  ],
  'GET /api/webhooks/queue/run': () => [{ stranger: 'invalid_cron_secret', admits: 'nobody' }],
  'POST /api/v1/templates': () => [
    { body: { name: 'New', subject: 'Hi', content: 'Hi' }, stranger: own },
  ],
  'PUT /api/v1/templates/{id}': ({ template }) => [
    { id: template, body: { subject: 'Mine' }, stranger: 'template_not_found' },
  ],
  'DELETE /api/v1/templates/{id}': ({ template }) => [
    { id: template, stranger: 'template_not_found' },
  ],
  'POST /api/v1/templates/{id}/publish': ({ template }) => [
    { id: template, stranger: 'template_not_found' },
  ],
  'POST /api/v1/templates/{id}/duplicate': ({ template }) => [
    { id: template, body: { name: 'Copy' }, stranger: 'template_not_found' },
  ],
  'POST /api/v1/templates/{id}/render': ({ template }) => [
    { id: template, body: {}, stranger: 'template_not_found' },
  ],
  'POST /api/v1/webhooks': () => [{ body: { url: 'https://example.com/' }, stranger: own }],
  'PATCH /api/v1/webhooks/{id}': ofWebhook({ url: 'https://example.com/' }),
  'DELETE /api/v1/webhooks/{id}': ofWebhook(),
  'POST /api/v1/webhooks/{id}/rotate-secret': ofWebhook(),
  'POST /api/v1/webhooks/{id}/test': ofWebhook(),
  'POST /api/v1/webhooks/{id}/verify': ofWebhook(signedMessage),
  'POST /api/v1/webhooks/deliveries/{id}/redeliver': ({ delivery }) => [
    { id: delivery, stranger: 'delivery_not_found' },
  ],
  'POST /api/v1/webhooks/{id}/redeliver-failed': ofWebhook({ since: 0 }),
  'POST /api/v1/webhooks/deliveries/{id}/retry': ({ delivery }) => [
    { id: delivery, stranger: 'delivery_not_found' },
  ],
  'POST /api/v1/webhooks/{id}/retry-waiting': ofWebhook(),
  'POST /api/v1/api-keys': () => [{ body: { name: 'New' }, stranger: own }],
  'PATCH /api/v1/api-keys/{id}': ofOtherKey({ name: 'Mine' }),
  'DELETE /api/v1/api-keys/{id}': ofOtherKey(),
  'POST /api/v1/api-keys/{id}/rotate': ofOtherKey(),
  'POST /api/v1/people': ({ word }) => [
    { body: { email: `dave@${word}.example`, role: 'viewer' }, stranger: own },
  ],
  'PATCH /api/v1/people/{id}': ofPerson({ role: 'viewer' }),
  'DELETE /api/v1/people/{id}': ofPerson(),
  'DELETE /api/v1/people/{id}/sessions': ofPerson(),
  'GET /api/v1/audit': ({ person }) => [{ stranger: own }, { query: { person }, stranger: own }],
  'GET /api/v1/audit/export': ({ person }) => [
    { stranger: own },
    { query: { person }, stranger: own },
  ],
  'PATCH /api/v1/organization': ({ policy }) => [
    { body: { senderName: 'Mine' }, stranger: own },
    { body: { defaultPolicyKey: policy }, stranger: 'validation_failed at defaultPolicyKey' },
    { body: { defaultPolicyKey: null }, stranger: own },
  ],
  'POST /api/v1/organization/notice-email/confirmation': () => [{ stranger: own }],
  'GET /notices/confirmation': (its, asker) => [
    { query: { token: tokenFor('notices', its, asker) }, stranger: 'link_not_found' },
  ],
  'POST /notices/confirmation': (its, asker) => [
    { query: { token: tokenFor('notices', its, asker) }, stranger: 'link_not_found' },
  ],
  'GET /api/v1/policies/{key}': ({ policy }) => [{ id: policy, stranger: 'policy_not_found' }],
  'PUT /api/v1/policies/{key}': ({ category }) => [
    {
      id: 'new-policy',
      body: { kind: 'bulk', categoryKey: category },
      stranger: 'validation_failed at categoryKey',
    },
    { id: 'new-policy', body: { kind: 'transactional' }, stranger: own },
  ],
  'DELETE /api/v1/policies/{key}': ({ policy }) => [{ id: policy, stranger: 'policy_not_found' }],
  // Nothing is posted to Slack from here.
  'PUT /api/v1/notice-targets/{key}': () => [
    {
      id: 'on-call',
      body: { type: 'slack', url: 'https://10.0.0.1/' },
      stranger: 'validation_failed at url',
      admits: 'nobody',
    },
  ],
  'DELETE /api/v1/notice-targets/{key}': () => [
    { id: 'on-call', stranger: 'notice_target_not_found', admits: 'nobody' },
  ],
  'POST /api/v1/notice-targets/{key}/test': () => [
    { id: 'on-call', stranger: 'notice_target_not_found', admits: 'nobody' },
  ],
  'POST /api/v1/categories': () => [{ body: { key: 'new', name: 'New' }, stranger: own }],
  'PATCH /api/v1/categories/{key}': ({ category }) => [
    { id: category, body: { name: 'Mine' }, stranger: 'category_not_found' },
  ],
  'DELETE /api/v1/categories/{key}': ({ category }) => [
    { id: category, stranger: 'category_not_found' },
  ],
  'POST /api/v1/organizations': () => [{ body: { name: 'New' }, ...operators }],
  'GET /api/v1/organizations': () => [operators],
  'GET /api/v1/organizations/{id}': ofOrganization(),
  'PATCH /api/v1/organizations/{id}': ofOrganization({ attachmentsEnabled: false }),
  'DELETE /api/v1/organizations/{id}': (its) => [
    { id: its.organizationId, query: { name: its.name }, ...operators },
  ],
  'POST /api/v1/organizations/{id}/api-keys': ofOrganization(),
  'GET /api/v1/organization-usage': () => [operators],
  'GET /api/v1/domain-claims': () => [operators],
  'POST /api/v1/domain-claims': ({ organizationId }) => [
    { body: { domain: 'mail.vouched.example', organizationId }, ...operators },
  ],
  'DELETE /api/v1/domain-claims/{domain}': ({ organizationId, identity }) => [
    { id: identity.domain, query: { organizationId }, ...operators },
  ],
  'GET /api/v1/domains': () => [{ stranger: own }],
  'POST /api/v1/domains': ({ word }) => [
    { body: { domain: `more.${word}.example` }, stranger: own },
  ],
  'GET /api/v1/domains/{domain}': ({ beside }) => [{ id: beside, stranger: 'domain_not_found' }],
  'PATCH /api/v1/domains/{domain}': ({ beside }) => [
    { id: beside, body: { mailFromLabel: 'mail' }, stranger: 'domain_not_found' },
  ],
  'POST /api/v1/domains/{domain}/verify': ({ beside }) => [
    { id: beside, stranger: 'domain_not_found' },
  ],
  'DELETE /api/v1/domains/{domain}': ({ beside }) => [{ id: beside, stranger: 'domain_not_found' }],
  'PUT /api/v1/organization/identity': ({ identity }) => [{ body: identity, stranger: own }],
  'DELETE /api/v1/organization/identity': () => [{ stranger: own }],
  // A file that is the same for everybody: it takes neither a key nor an id.
  'GET /openapi.json': () => [],
  'GET /docs': () => [],
  'GET /docs/{page+}': () => [],
  'GET /llms.txt': () => [],
  'GET /console': () => [],
  'GET /console/{proxy+}': () => [],
  'GET /console/preview/{page}': () => [{ id: 'preferences', stranger: own }],
  // A key is no session, and names itself alone.
  'GET /console/session': () => [{ stranger: 'invalid_api_key', admits: 'nobody' }],
  'GET /console/sessions': () => [{ stranger: 'invalid_api_key', admits: 'nobody' }],
  'DELETE /console/sessions': () => [{ stranger: 'invalid_api_key', admits: 'nobody' }],
  'DELETE /console/sessions/{id}': () => [
    { id: 'ses_1', stranger: 'invalid_api_key', admits: 'nobody' },
  ],
  'GET /console/organizations': () => [{ stranger: 'invalid_api_key', admits: 'nobody' }],
  'POST /console/session/switch': () => [
    { body: { organizationId: 'org_1' }, stranger: 'invalid_api_key', admits: 'nobody' },
  ],
  'POST /console/operator/enter': ({ organizationId }) => [
    { body: { organizationId, reason: 'To look' }, stranger: 'invalid_api_key', admits: 'nobody' },
  ],
  // The same answer for every address.
  'POST /console/sign-in': () => [],
  'GET /console/sign-in/options': () => [],
  // The issuer says who it is, and an answer of it counts in the browser that asked.
  'GET /console/oidc/sign-in': () => [],
  'GET /console/oidc/callback': () => [],
  'GET /console/oidc/sign-out': () => [],
  'POST /console/oidc/logout': () => [],
  'POST /console/session': ({ key }) => [
    { body: { key: `${key}x` }, stranger: 'invalid_api_key', admits: 'nobody' },
  ],
  'DELETE /console/session': () => [],
  'POST /console/session/confirm': ({ key }) => [
    { body: { key }, stranger: 'invalid_api_key', admits: 'nobody' },
  ],
  // A person's session, which no key is.
  'GET /console/passkeys': () => [{ stranger: 'invalid_api_key', admits: 'nobody' }],
  'POST /console/passkeys/options': () => [{ stranger: 'invalid_api_key', admits: 'nobody' }],
  'POST /console/passkeys': () => [{ stranger: 'invalid_api_key', admits: 'nobody' }],
  'DELETE /console/passkeys/{id}': () => [
    { id: '0'.repeat(32), stranger: 'invalid_api_key', admits: 'nobody' },
  ],
  // The same answer for everybody.
  'POST /console/passkey-sign-in/options': () => [],
  'POST /console/session/passkey': () => [
    {
      body: {
        id: 'AA',
        clientDataJSON: 'AA',
        authenticatorData: 'AA',
        signature: 'AA',
        userHandle: 'AA',
      },
      stranger: 'passkey_refused',
      admits: 'nobody',
    },
  ],
  'POST /console/links/look': ({ key }) => [
    { body: { link: key }, stranger: 'link_not_found', admits: 'nobody' },
  ],
  'POST /console/links': () => [{ stranger: own }],
  'POST /console/preview': () => [{ body: { content: 'Hello {{name}}' }, stranger: own }],
  'POST /resend/emails': sendAsWithResend,
  'POST /resend/emails/batch': (its, asker) =>
    sendAsWithResend(its, asker).map(({ body, stranger }) => ({ body: [body], stranger })),
  'POST /postmark/email': sendAsWithPostmark,
  'POST /postmark/email/withTemplate': sendTemplateAsWithPostmark,
  'POST /postmark/email/withTemplate/{rest+}': sendTemplateAsWithPostmark,
  'GET /postmark/messages/outbound/{id}/details': (its) => [{ id: its.send, stranger: '701' }],
  'GET /postmark/bounces': (its) => [
    { stranger: own },
    { query: { messageID: its.send }, stranger: own },
  ],
  // An email at fault has its error in its place.
  'POST /postmark/email/batch': (its, asker) =>
    sendAsWithPostmark(its, asker).map(({ body }) => ({ body: [body], stranger: own })),
  'POST /postmark/email/batchWithTemplates': (its, asker) =>
    sendTemplateAsWithPostmark(its, asker).map(({ body }) => ({
      body: { Messages: [body] },
      stranger: own,
    })),
  'GET /resend/emails': (its) => [
    { stranger: own },
    { query: { after: its.send }, stranger: 'validation_error' },
    { query: { before: its.send }, stranger: 'validation_error' },
  ],
  'GET /resend/emails/{id}': (its) => [{ id: its.send, stranger: 'not_found' }],
  'PATCH /resend/emails/{id}': (its) => [
    { id: its.alsoWaiting, body: { scheduled_at: 'in 1 hour' }, stranger: 'not_found' },
  ],
  'POST /resend/emails/{id}/cancel': (its) => [{ id: its.alsoWaiting, stranger: 'not_found' }],
  'GET /resend/domains': () => [{ stranger: own }],
  'POST /resend/domains': ({ word }) => [
    { body: { name: `another.${word}.example` }, stranger: own },
  ],
  'GET /resend/domains/{id}': ofDomain(),
  'PATCH /resend/domains/{id}': ofDomain({}),
  'POST /resend/domains/{id}/verify': ofDomain(),
  'DELETE /resend/domains/{id}': ({ third }) => [{ id: third, stranger: 'not_found' }],
  'GET /resend/api-keys': () => [{ stranger: own }],
  'POST /resend/api-keys': ({ beside }) => [
    { body: { name: 'New' }, stranger: own },
    {
      body: { name: 'New', permission: 'sending_access', domain_id: beside },
      stranger: 'validation_error',
    },
  ],
  'PATCH /resend/api-keys/{id}': ofThirdKey({ name: 'Mine' }),
  'DELETE /resend/api-keys/{id}': ofThirdKey(),
  'GET /resend/webhooks': () => [{ stranger: own }],
  'POST /resend/webhooks': () => [
    { body: { endpoint: 'https://example.com/', events: ['email.sent'] }, stranger: own },
  ],
  'GET /resend/webhooks/{id}': ofResendWebhook(),
  'PATCH /resend/webhooks/{id}': ofResendWebhook({ endpoint: 'https://example.com/' }),
  'DELETE /resend/webhooks/{id}': ofResendWebhook(),
  'POST /resend/webhooks/{id}/signing-secret/rotate': ofResendWebhook(),
  'GET /resend/webhooks/{id}/events': ofResendWebhook(),
  'GET /resend/webhooks/{id}/events/{eventId}': ofResendEvent,
  'GET /resend/webhooks/{id}/events/{eventId}/attempts': ofResendEvent,
  'POST /resend/webhooks/{id}/events/{eventId}/replay': ofResendEvent,
  'GET /resend/suppressions': ({ resendSuppressed }) => [
    { stranger: own },
    { query: { after: resendSuppressed }, stranger: 'validation_error' },
  ],
  'POST /resend/suppressions': ({ contact }) => [{ body: { email: contact }, stranger: own }],
  'POST /resend/suppressions/batch/add': ({ contact }) => [
    { body: { emails: [contact] }, stranger: own },
  ],
  'POST /resend/suppressions/batch/remove': ({ toBeLifted }) => [
    { body: { emails: [toBeLifted] }, stranger: own },
  ],
  'GET /resend/suppressions/{id}': ({ resendSuppressed }) => [
    { id: resendSuppressed, stranger: 'not_found' },
  ],
  'DELETE /resend/suppressions/{id}': ({ resendSuppressed }) => [
    { id: resendSuppressed, stranger: 'not_found' },
  ],
  'GET /resend/templates': ({ resendTemplate }) => [
    { stranger: own },
    { query: { after: resendTemplate }, stranger: 'validation_error' },
  ],
  'POST /resend/templates': () => [
    { body: { name: 'Newer', subject: 'Hi', html: '<p>Hi</p>' }, stranger: own },
  ],
  'GET /resend/templates/{id}': ofResendTemplate(),
  'PATCH /resend/templates/{id}': ofResendTemplate({ subject: 'Mine' }),
  'POST /resend/templates/{id}/publish': ofResendTemplate(),
  'POST /resend/templates/{id}/duplicate': ofResendTemplate(),
  'DELETE /resend/templates/{id}': ofResendTemplate(),
  'GET /t/c/{token}': ofLink('click'),
  'HEAD /t/c/{token}': ofLink('click', 'status 404'),
  'GET /t/o/{token}': ofLink('open'),
  'HEAD /t/o/{token}': ofLink('open', 'status 404'),
};

const idsOf = ({ send, template, webhook }: Tenant): Readonly<Record<Resource, string>> => ({
  sends: send,
  templates: template,
  webhooks: webhook,
});

/** A simple read names one resource, or nothing that could be another's. */
function readAsks({ functionName, ...route }: RouteOfApi): Asks {
  const resource = resourceOf(route);
  const { unmatchedPath: stranger = own } = endpointOf(functionName);
  return (its) => [{ ...(resource && { id: idsOf(its)[resource] }), stranger }];
}

/** Every route, with what it is asked with. */
export const askedRoutes = byRoute(asks, readAsks);

export type Route = { readonly method: string; readonly path: string };

/** Sends a request of the tables. */
export function sendAsk(
  service: Pick<TenantService, 'url'>,
  { method, path }: Route,
  {
    id = 'missing',
    eventId = 'missing',
    query,
    body,
  }: Pick<Ask, 'id' | 'eventId' | 'query' | 'body'>,
  call: Call,
) {
  const target = path
    .replace('{eventId}', encodeURIComponent(eventId))
    .replace(/\{\w+\+?\}/, encodeURIComponent(id));
  const parameters = query === undefined ? '' : `?${new URLSearchParams(query)}`;
  return callService(service, method, `${target}${parameters}`, { body, ...call });
}

type AskAnswer = Awaited<ReturnType<typeof sendAsk>>;

/** The code of a problem and the fields at fault, its status where it has no body; `its own` for a success. */
export function outcomeOf({ status, code, faulty }: Pick<AskAnswer, 'status' | 'code' | 'faulty'>) {
  if (status < 400) return 'its own';
  if (code === undefined) return `status ${status}`;
  return faulty.length === 0 ? code : `${code} at ${faulty}`;
}

/** Reads come first. What others need is deleted last. */
export function inOrder<Entry extends Route>(routes: readonly Entry[]): readonly Entry[] {
  const rank = ({ method, path }: Route) => {
    if (method === 'GET' || method === 'HEAD') return 0;
    if (method !== 'DELETE') return 1;
    return path.startsWith('/api/v1/organizations') ? 3 : 2;
  };
  return routes.toSorted((one, other) => rank(one) - rank(other));
}

/** What a tenant, or its operator, gets a success for, on every route. The last deletes it. */
export const requestsOfOwner = (tenant: Tenant) =>
  inOrder(askedRoutes)
    .flatMap((route) => route.entry(tenant, tenant).map((ask) => ({ ...route, ask })))
    .filter(({ ask }) => ask.admits !== 'nobody');

function ofDomain(body?: object): Asks {
  return ({ beside }) => [{ id: beside, ...(body && { body }), stranger: 'not_found' }];
}

function ofWebhook(body?: object): Asks {
  return ({ webhook }) => [{ id: webhook, ...(body && { body }), stranger: 'webhook_not_found' }];
}

function ofThirdKey(body?: object): Asks {
  return ({ thirdKey }) => [{ id: thirdKey, ...(body && { body }), stranger: 'not_found' }];
}

function ofResendWebhook(body?: object): Asks {
  return ({ resendWebhook }) => [
    { id: resendWebhook, ...(body && { body }), stranger: 'not_found' },
  ];
}

function ofResendEvent({ resendWebhook, resendEvent }: Tenant, asker: Tenant): readonly Ask[] {
  return [resendWebhook, asker.resendWebhook].map((id) => ({
    ...{ id, eventId: resendEvent },
    stranger: 'not_found',
  }));
}

function ofResendTemplate(body?: object): Asks {
  return ({ resendTemplate }) => [
    { id: resendTemplate, ...(body && { body }), stranger: 'not_found' },
  ];
}

function ofOtherKey(body?: object): Asks {
  return ({ otherKey }) => [{ id: otherKey, ...(body && { body }), stranger: 'api_key_not_found' }];
}

function ofPerson(body?: object): Asks {
  return ({ person }) => [{ id: person, ...(body && { body }), stranger: 'person_not_found' }];
}

function ofOrganization(body?: object): Asks {
  return ({ organizationId }) => [{ id: organizationId, ...(body && { body }), ...operators }];
}

function ofLink(kind: 'click' | 'open', stranger = 'link_not_found'): Asks {
  return (its, asker) => [{ id: tokenFor(kind, its, asker), stranger }];
}

const everything = { from: 0, until: 9_000_000_000_000 };

/** A list: how its asker asks for a page, and a place in the list of a tenant. */
export type ListAsk = {
  readonly ask: (asker: Tenant) => Pick<Ask, 'id' | 'query' | 'body'>;
  /** Of a list that is not long enough to have a cursor: what its cursor is sealed for. */
  readonly sealed?: {
    readonly list: (its: Tenant) => string;
    readonly filters: Readonly<Record<string, unknown>>;
    readonly position: (its: Tenant) => string;
  };
};

const suppressionAt = ({ organizationId, suppressed }: Tenant): string =>
  `${sortableTime(1)}#manual-${contactIdOf(organizationId, suppressed)}`;

/** Every list of an organization that is read in pages. */
export const lists: { readonly [Name in RouteName]?: ListAsk } = {
  'GET /api/v1/sends': { ask: () => ({ query: { limit: '1' } }) },
  'GET /api/v1/sends/export': {
    ask: () => ({}),
    sealed: {
      list: () => 'sends/export',
      filters: {},
      position: ({ send }) => sendPosition(slotIdIn(sendIdSchema.parse(send)), 1),
    },
  },
  'GET /api/v1/suppressions': { ask: () => ({ query: { limit: '1' } }) },
  'POST /api/v1/suppressions/lift': {
    ask: () => ({ body: everything }),
    sealed: {
      list: () => 'suppressions/lift',
      filters: { ...everything, reason: 'bounce', dryRun: true },
      position: suppressionAt,
    },
  },
  'GET /api/v1/suppressions/export': {
    ask: () => ({}),
    sealed: { list: () => 'suppressions/export', filters: {}, position: suppressionAt },
  },
  'GET /api/v1/contacts': {
    ask: () => ({ query: { limit: '1' } }),
    sealed: {
      list: () => 'contacts',
      filters: { prefix: '' },
      position: ({ contact }) => contact,
    },
  },
  'GET /api/v1/contacts/{email}/export': { ask: ({ contact }) => ({ id: contact }) },
  'GET /api/v1/templates': { ask: () => ({ query: { limit: '1' } }) },
  'GET /api/v1/webhooks/{id}/deliveries': {
    ask: ({ webhook }) => ({ id: webhook, query: { limit: '1' } }),
  },
  'POST /api/v1/webhooks/{id}/redeliver-failed': {
    ask: ({ webhook }) => ({ id: webhook, body: { since: 0 } }),
    sealed: {
      list: ({ webhook }) => `webhooks/${webhook}/redeliver-failed`,
      filters: { since: 0 },
      position: () => `${sortableTime(1)}#${'a'.repeat(16)}`,
    },
  },
  'GET /api/v1/api-keys': { ask: () => ({ query: { limit: '1' } }) },
  'GET /api/v1/requests': {
    ask: () => ({ query: { limit: '1' } }),
    sealed: {
      list: () => 'refused requests',
      filters: {},
      position: ({ managerKeyId }) => `${sortableTime(1)}#${managerKeyId}#00`,
    },
  },
  'GET /api/v1/people': {
    ask: () => ({ query: { limit: '1' } }),
    sealed: {
      list: () => 'people',
      filters: {},
      position: ({ person }) => `${sortableTime(1)}#${person}`,
    },
  },
  'GET /api/v1/audit': { ask: () => ({ query: { limit: '1' } }) },
  'GET /api/v1/audit/export': {
    ask: () => ({}),
    sealed: {
      list: () => 'audit/export',
      filters: {},
      position: ({ organizationId }) => `${sortableTime(1)}#${newAuditEntryId(organizationId)}`,
    },
  },
};

/** The request of a list, to go on at a cursor. */
export const withCursor = (ask: Pick<Ask, 'id' | 'query' | 'body'>, cursor: string) =>
  ask.body === undefined
    ? { ...ask, query: { ...ask.query, cursor } }
    : { ...ask, body: Object.assign({ cursor }, ask.body) };

/** The cursor of a list that is too short to have one. */
export const sealedFor = (its: Tenant, { list, filters, position }: Required<ListAsk>['sealed']) =>
  sealCursor(position(its), { list: list(its), owner: its.cursorOwner, filters });

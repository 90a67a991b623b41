import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { parseApiKey } from '#shared/access/api-key';
import { getApiKey, putApiKey, replaceSignIns } from '#shared/access/api-key-store';
import { mailedLinkText } from '#shared/access/credential-text';
import { newMailedLink } from '#shared/access/mailed-link';
import { storeMailedLink } from '#shared/access/mailed-link-store';
import { newSession, withSignIn } from '#shared/access/sign-in';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { appendAuditEntry, settledAfterMs } from '#shared/audit/audit-store';
import { beginDomainLease, endDomainLease } from '#shared/identity/domain-store';
import { getIdentity, storeIdentityChange } from '#shared/identity/identity-store';
import { confirmationText, newConfirmationRequest } from '#shared/notices/confirmation';
import { newNotice, sendKeyOf } from '#shared/notices/notice';
import { putNotice } from '#shared/notices/notice-store';
import { getOrganization } from '#shared/organizations/organization-store';
import { updateIf } from '#shared/table/conditional-update';
import {
  apiKeyKey,
  domainKey,
  organizationKey,
  sortableTime,
  webhookKey,
} from '#shared/table/keys';
import { sendKey } from '#shared/table/send-keys';
import { transactWrite } from '#shared/table/writes';
import { randomBase32 } from '#shared/tokens/base32';
import {
  type ApiKeyId,
  apiKeyIdSchema,
  apiKeyOwnPart,
  newApiKeyId,
  newOrganizationId,
  newSessionId,
  type OrganizationId,
  operatorsId,
  organizationIdOf,
  organizationIdSchema,
  personalKeyIdOf,
  type SlotId,
  sendIdSchema,
  serviceSlotIdOf,
  slotIdIn,
  slotIdOf,
  webhookIdSchema,
} from '#shared/tokens/resource-id';
import type { FunctionName } from '../../functions/endpoints.ts';
import { routes } from '../../functions/routes.ts';
import {
  type FunctionDeclaration,
  functionCatalogue,
} from '../../infra/constructs/function-catalogue.ts';
import { setEnvironment } from '../../infra/local/environment.ts';
import { roleRulesFor } from '../../infra/local/issuer.ts';
import { buildApiKey } from '../support/api-key-builder.ts';
import { sesError } from '../support/aws-answers.ts';
import {
  buildContactRecord,
  buildEventRecord,
  buildSentRecord,
} from '../support/counted-changes-builder.ts';
import { type Resource, resourceOf, type SimpleReader } from '../support/every-route.ts';
import type { RecordedRequest } from '../support/fault-proxy.ts';
import { answerInstead } from '../support/faults.ts';
import { operatorSecret } from '../support/faulty-aws.ts';
import { type Claims, startHostileIssuer } from '../support/hostile-issuer.ts';
import { openBrowser } from '../support/issuer-browser.ts';
import { dueNoticesIn } from '../support/notice-builder.ts';
import { localOperator, operatorHeaders } from '../support/operator.ts';
import {
  newAddress,
  newName,
  sentShape,
  useOrganizationAtWork,
} from '../support/organization-at-work.ts';
import { passkeyPerson } from '../support/passkey-person.ts';
import { grantedTo, neededFor, writesElsewhere } from '../support/role-permissions.ts';
import { newSendId } from '../support/send-builder.ts';
import {
  buildSesEvent,
  buildSesMail,
  type SesEventType,
  sesMessageId,
  tagsOf,
} from '../support/ses-event-builder.ts';
import { allItems, kindOf } from '../support/stored-story.ts';
import { storesAuditEntry } from '../support/table-requests.ts';

/**
 * What stands in for AWS grants everything to everybody. So each function, bundled as it is deployed, does
 * all that it does, one request at a time, and what it asks of DynamoDB, SES and SQS is held against what
 * its role is granted: one action more would be refused on AWS, one less is granted for nothing.
 */
const organizationId = newOrganizationId();
const issuer = await startHostileIssuer('console');
afterAll(issuer.stop);
const service = await useOrganizationAtWork({
  OIDC_ISSUER: issuer.url,
  OIDC_CLIENT_ID: 'console',
  OIDC_NAME: 'Example ID',
});
// Read at the first sign-in.
setEnvironment({ OIDC_ROLES: JSON.stringify(roleRulesFor(service.organizationId)) });
const { aws, call, send, newMail, newMailWithoutContact, newTemplate } = service;
const { newKey, newWebhook, newDelivery, attempt, invoke, receiveProviderEvent, listener } =
  service;

const newLayout = () =>
  newTemplate({ kind: 'layout', htmlContent: '<b>{{{content}}}</b>', content: '{{{content}}}' });

/** Nothing listens there. */
const nowhere = (place: number) => ({ type: 'slack', url: `http://localhost:9/${place}` });

async function newNoticeTarget(): Promise<string> {
  const path = `/api/v1/notice-targets/${newName()}`;
  await call('PUT', path, { body: nowhere(1) });
  return path;
}

/** An email whose content is kept. */
async function newKeptMail() {
  const keep = (keepContentDays: number | null) =>
    call('PATCH', '/api/v1/organization', { body: { keepContentDays } });
  await keep(7);
  const mail = await newMail();
  await keep(null);
  return mail;
}
const waitingShape = z.object({ sendId: sendIdSchema });

const domainsPath = '/api/v1/domains';
const resendDomainsPath = '/resend/domains';

const addDomain = (domain: string, key: string) =>
  call('POST', domainsPath, { body: { domain }, key });
const addDomainAsWithResend = (name: string, key: string) =>
  call('POST', resendDomainsPath, { body: { name }, key });

/** By its alias. */
async function newResendTemplate(): Promise<string> {
  const alias = newName();
  const body = { name: newName(), alias, subject: 'Hi', html: '<p>Hi</p>', text: 'Hi' };
  await call('POST', '/resend/templates', { body });
  return alias;
}

const resendWebhooksPath = '/resend/webhooks';

async function newResendWebhook(): Promise<string> {
  const body = { endpoint: 'https://hooks.example.com/', events: ['email.sent'] };
  const made = await call('POST', resendWebhooksPath, { body });
  return z.object({ id: z.string() }).parse(made).id;
}

/** One of a failing endpoint of Resend's, and where it is read. */
async function newResendEvent() {
  const id = await newWebhook(500);
  await call('PATCH', `/api/v1/webhooks/${id}`, { body: { format: 'resend', maxAttempts: 1 } });
  const delivery = await newDelivery(id);
  const events = `${resendWebhooksPath}/${id}/events`;
  return { delivery, events, event: `${events}/${delivery.id}` };
}

/** Its first attempt has failed, and the next one is to come. */
async function newWaitingDelivery() {
  const id = await newWebhook(500);
  await call('PATCH', `/api/v1/webhooks/${id}`, { body: { maxAttempts: 5 } });
  const delivery = await newDelivery(id);
  await attempt(delivery);
  return delivery;
}

/** Runs something that the function does; what it asks of DynamoDB meanwhile counts as its own. */
type Watch = (act: () => Promise<unknown>) => Promise<void>;
type Scenario = (watch: Watch) => Promise<void>;

/** A simple read that uses all of its role's permissions needs none. */
const scenarios: Readonly<Record<Exclude<FunctionName, SimpleReader>, Scenario>> &
  Readonly<Partial<Record<SimpleReader, Scenario>>> = {
  'send-email': sending('/api/v1/emails/send'),
  'send-global-email': sending('/api/v1/emails/send-global'),
  'send-email-batch': batching,
  'resend-api-send-email': sendingAsWithResend,
  'resend-api-send-email-batch': batchingAsWithResend,
  ...sendingAsWithPostmark(),
  'postmark-api-get-message': async (watch) => {
    const { sendId } = await newMail();
    await watch(() => call('GET', `/postmark/messages/outbound/${sendId}/details`));
  },
  'postmark-api-list-bounces': async (watch) => {
    await newBounced();
    const { sendId } = await newMail();
    await watch(() => call('GET', '/postmark/bounces'));
    await watch(() => call('GET', `/postmark/bounces?messageID=${sendId}`));
  },
  'resend-api-list-emails': async (watch) => {
    const { sendId } = await newMail();
    await newMail();
    await watch(() => call('GET', '/resend/emails'));
    await watch(() => call('GET', `/resend/emails?after=${sendId}`));
    await watch(() => call('GET', `/resend/emails?before=${sendId}`));
  },
  'resend-api-get-email': async (watch) => {
    const { sendId } = await newKeptMail();
    await watch(() => call('GET', `/resend/emails/${sendId}`));
  },
  'resend-api-cancel-email': async (watch) => {
    const { sendId } = waitingShape.parse(await send({ mode: 'queued' }));
    await watch(() => call('POST', `/resend/emails/${sendId}/cancel`));
  },
  'resend-api-update-email': async (watch) => {
    const { sendId } = waitingShape.parse(await send({ sendAt: Date.now() + 3_600_000 }));
    const body = { scheduled_at: 'in 1 min' };
    await watch(() => call('PATCH', `/resend/emails/${sendId}`, { body }));
  },
  'create-upload': (watch) =>
    watch(() => call('POST', '/api/v1/attachments', { body: { filename: 'a.pdf', size: 9 } })),
  'get-send-content': async (watch) => {
    const { sendId } = await newKeptMail();
    await watch(() => call('GET', `/api/v1/sends/${sendId}/content`));
  },
  'send-again': async (watch) => {
    const { sendId } = await newKeptMail();
    const path = `/api/v1/sends/${sendId}/resend`;
    await watch(() => call('POST', path));
    await watch(() => call('POST', path, { body: { to: newAddress() } }));
  },
  'cancel-send': async (watch) => {
    const { sendId } = waitingShape.parse(await send({ mode: 'queued' }));
    await watch(() => call('POST', `/api/v1/sends/${sendId}/cancel`));
  },
  'reschedule-send': async (watch) => {
    const { sendId } = waitingShape.parse(await send({ sendAt: Date.now() + 3_600_000 }));
    const body = { sendAt: Date.now() + 60_000 };
    await watch(() => call('PATCH', `/api/v1/sends/${sendId}`, { body }));
  },
  'free-idempotency-key': async (watch) => {
    const key = newName();
    const path = `/api/v1/idempotency-keys/${key}`;
    await send({}, { 'idempotency-key': key });
    await watch(() => call('DELETE', path));
    await send({}, { 'idempotency-key': key });
    await watch(() => call('DELETE', path));
  },
  'list-sends': async (watch) => {
    const { to } = await newMail();
    await watch(() => call('GET', '/api/v1/sends'));
    await watch(() => call('GET', `/api/v1/sends?to=${to}&status=sent`));
    await watch(() => call('GET', `/api/v1/sends?search=${newName()}`));
    await watch(() => call('GET', '/api/v1/sends?outcome=failed'));
  },
  'export-sends': async (watch) => {
    const { to } = await newMail();
    await watch(() => call('GET', '/api/v1/sends/export'));
    await watch(() => call('GET', `/api/v1/sends/export?to=${to}&status=sent`));
    await watch(() => call('GET', `/api/v1/sends/export?search=${newName()}`));
    await watch(() => call('GET', '/api/v1/sends/export?outcome=failed'));
  },
  'record-provider-event': async (watch) => {
    const sent = await newMail();
    const keyed = sentShape.parse(await send({}, { 'idempotency-key': newName() }));

    await watch(() => receiveEvent('Send', sent, tagsOf(sent.sendId)));
    await watch(() => receiveEvent('Delivery', sent, tagsOf(sent.sendId)));
    await watch(() => receiveEvent('Bounce', sent, tagsOf(sent.sendId)));
    await storeOwner('mail.example.com');
    await watch(() => receiveEvent('Delivery', { messageId: sesMessageId(Date.now()) }, {}));
    await watch(() => receiveEvent('Reject', keyed, tagsOf(keyed.sendId)));
    await call('DELETE', `/api/v1/contacts/${sent.to}`);
    await watch(() => receiveEvent('Bounce', sent, tagsOf(sent.sendId)));
    await watch(() => invoke('record-provider-event', { Records: [unreadableMessage] }));
    const malformed = buildSesEvent('Send', {
      mail: { ...buildSesMail({ tags: tagsOf(keyed.sendId) }), timestamp: 'tomorrow' },
    });
    await watch(() => expect(receiveProviderEvent(malformed)).rejects.toThrow());
  },
  'record-test-events': async (watch) => {
    const to = newAddress();
    const body = { to, subject: 'Hi', content: 'Hi' };
    const sent = await call('POST', '/api/v1/emails/send', { key: testKey.text, body });
    const { sendId, messageId } = sentShape.parse(sent);
    const play = (type: SesEventType, tags: object) => {
      const mail = buildSesMail({ messageId, tags });
      const events = [buildSesEvent('Send', { mail }), buildSesEvent(type, { mail })];
      const Records = [{ messageId: '1', body: JSON.stringify({ events }) }];
      return watch(() => invoke('record-test-events', { Records }));
    };
    await play('Bounce', tagsOf(sendId));
    await play('Delivery', {});
    await call('DELETE', `/api/v1/contacts/${to}`);
    await play('Complaint', tagsOf(sendId));
  },
  'get-preferences': async (watch) => {
    const { preferencesToken, to } = await newMail();

    await watch(() => call('GET', `/api/v1/preferences?token=${preferencesToken}`));
    await watch(() => call('GET', `/api/v1/preferences?email=${to}`, { key: null }));
  },
  'update-preferences': async (watch) => {
    const { preferencesToken: token, to: email } = await newMail();
    const subscriptions = [{ categoryKey: 'news', subscribed: false }];
    const path = '/api/v1/preferences';

    await watch(() => call('POST', path, { body: { token, subscriptions } }));
    await watch(() => call('POST', path, { body: { email, subscriptions }, key: null }));
    await call('POST', '/api/unsubscribe', { body: { email } });
    const wish = [{ categoryKey: 'news', subscribed: true }];
    await watch(() => call('POST', path, { body: { token, subscriptions: wish } }));
  },
  'show-unsubscribe': withAndWithoutContact(({ unsubscribe }) => call('GET', unsubscribe)),
  unsubscribe: async (watch) => {
    const { to: email } = await newMail();

    await withAndWithoutContact(({ unsubscribe }) => call('POST', unsubscribe))(watch);
    await watch(() => call('POST', '/api/unsubscribe', { body: { email }, key: null }));
    await watch(() => call('POST', '/api/unsubscribe', { body: { email } }));
  },
  'show-preferences': withAndWithoutContact(({ preferences }) => call('GET', preferences)),
  'save-preferences': async (watch) => {
    const save = (body: object) =>
      withAndWithoutContact(({ preferences }) => call('POST', preferences, { body }));

    await save({ shown: 'news' })(watch);
    const { preferences, unsubscribe } = await newMail();
    await call('POST', `${unsubscribe}&everything=true`);
    await watch(() => call('POST', preferences, { body: { resubscribe: '1' } }));
  },
  'erase-contact': async (watch) => {
    const [one, other] = [await newMail(), await newMail()];

    const bounced = await newBounced();
    const copied = newAddress();
    await send({ cc: copied });

    await watch(() => call('DELETE', `/api/v1/contacts/${bounced}`));
    await watch(() => call('DELETE', `/api/v1/contacts/${copied}`));
    await watch(() => call('DELETE', `/api/v1/contacts/${one.to}`));
    await watch(() => call('DELETE', `/api/v1/contacts/${other.to}?sends=true`));
  },
  'explain-recipient': async (watch) => {
    const email = await newBounced();
    await watch(() => call('GET', `/api/v1/recipients/${email}`));
  },
  'get-contact': async (watch) => {
    const { to } = await newMail();
    await watch(() => call('GET', `/api/v1/contacts/${to}`));
  },
  'export-contact': async (watch) => {
    const { to } = await newMail();
    const read = (cursor: string) => call('GET', `/api/v1/contacts/${to}/export${cursor}`);
    const cursors = [''];
    for (const cursor of cursors) {
      await watch(async () => {
        const { nextCursor } = z
          .object({ nextCursor: z.nullable(z.string()) })
          .parse(await read(cursor));
        if (nextCursor !== null) cursors.push(`?cursor=${nextCursor}`);
      });
    }
  },
  'list-contacts': async (watch) => {
    const { to } = await newMail();
    await invoke('index-contacts', { Records: [buildContactRecord(service.organizationId, to)] });
    await watch(() => call('GET', '/api/v1/contacts'));
  },
  'index-contacts': async (watch) => {
    const { to } = await newMail();
    const record = buildContactRecord(service.organizationId, to);
    await watch(() => invoke('index-contacts', { Records: [record] }));
  },
  'list-suppressions': async (watch) => {
    await newBounced();
    await watch(() => call('GET', '/api/v1/suppressions'));
  },
  'create-suppression': (watch) =>
    watch(() => call('POST', '/api/v1/suppressions', { body: { email: newAddress() } })),
  'lift-suppression': async (watch) => {
    const email = await newBounced();
    await watch(() => call('DELETE', `/api/v1/suppressions/${email}`));
  },
  'lift-suppressions': async (watch) => {
    await newBounced();
    const body = { from: 0, until: Date.now() + 1_000, dryRun: false };
    await watch(() => call('POST', '/api/v1/suppressions/lift', { body }));
  },
  'import-suppressions': (watch) => watch(() => importBounce(newAddress())),
  'export-suppressions': async (watch) => {
    await newBounced();
    await watch(() => call('GET', '/api/v1/suppressions/export'));
  },
  'create-template': async (watch) => {
    const layout = await newLayout();
    await watch(() => newTemplate({ layout }));
  },
  'list-templates': async (watch) => {
    await newTemplate();
    await watch(() => call('GET', '/api/v1/templates'));
  },
  'update-template': async (watch) => {
    const [id, layout] = [await newTemplate(), await newLayout()];
    const body = { name: newName(), layout };
    await watch(() => call('PUT', `/api/v1/templates/${id}`, { body }));
  },
  'delete-template': async (watch) => {
    const id = await newTemplate({ layout: await newLayout() });
    await watch(() => call('DELETE', `/api/v1/templates/${id}`));
  },
  'publish-template': async (watch) => {
    const id = await newTemplate({ layout: await newLayout() });
    await call('PUT', `/api/v1/templates/${id}`, { body: { layout: null, draft: true } });
    await watch(() => call('POST', `/api/v1/templates/${id}/publish`, { body: {} }));
  },
  'duplicate-template': async (watch) => {
    const id = await newTemplate({ layout: await newLayout() });
    const body = { name: newName() };
    await watch(() => call('POST', `/api/v1/templates/${id}/duplicate`, { body }));
  },
  'render-template': async (watch) => {
    const id = await newTemplate();
    await watch(() => call('POST', `/api/v1/templates/${id}/render`, { body: { variables: {} } }));
  },
  'create-webhook': (watch) => watch(() => newWebhook(204)),
  'update-webhook': async (watch) => {
    const path = `/api/v1/webhooks/${await newWebhook(204)}`;

    await watch(() => call('PATCH', path, { body: { eventTypes: ['email.sent'] } }));
    await watch(() => call('PATCH', path, { body: { enabled: false } }));
  },
  'delete-webhook': async (watch) => {
    const id = await newWebhook(204);
    await watch(() => call('DELETE', `/api/v1/webhooks/${id}`));
  },
  'rotate-webhook-secret': (watch) =>
    watch(() => call('POST', `/api/v1/webhooks/${listener}/rotate-secret`)),
  'test-webhook': (watch) => watch(() => call('POST', `/api/v1/webhooks/${listener}/test`)),
  'verify-webhook-signature': async (watch) => {
    await newDelivery(listener);
    const body = { payload: '[]', webhookId: 'msg_x', timestamp: '1', signature: 'v1,AAAA' };
    await watch(() => call('POST', `/api/v1/webhooks/${listener}/verify`, { body }));
  },
  'list-webhook-deliveries': async (watch) => {
    await newDelivery(listener);
    const path = `/api/v1/webhooks/${listener}/deliveries`;
    await watch(() => call('GET', path));
    await watch(() => call('GET', `${path}?send=${newSendId(organizationIdOf(listener))}`));
  },
  'redeliver-webhook-delivery': async (watch) => {
    const delivery = await newDelivery(await newWebhook(500));
    const redeliver = () => call('POST', `/api/v1/webhooks/deliveries/${delivery.id}/redeliver`);
    await watch(redeliver);
    await attempt(delivery);
    await watch(redeliver);
  },
  'redeliver-failed-deliveries': async (watch) => {
    const id = await newWebhook(500);
    await attempt(await newDelivery(id));
    const body = { since: 0 };
    await watch(() => call('POST', `/api/v1/webhooks/${id}/redeliver-failed`, { body }));
  },
  'retry-webhook-delivery': async (watch) => {
    const { id } = await newWaitingDelivery();
    await watch(() => call('POST', `/api/v1/webhooks/deliveries/${id}/retry`));
  },
  'retry-waiting-deliveries': async (watch) => {
    const { webhookId } = await newWaitingDelivery();
    await watch(() => call('POST', `/api/v1/webhooks/${webhookId}/retry-waiting`));
  },
  'track-click': withAndWithoutContact(({ click }) => call('GET', click)),
  'track-open': withAndWithoutContact(({ open }) => call('GET', open)),
  'deliver-webhooks': async (watch) => {
    for (const status of [204, 500, 410]) {
      const delivery = await newDelivery(await newWebhook(status));
      await watch(() => attempt(delivery));
    }
  },
  'retry-due-webhooks': async (watch) => {
    await newDelivery(listener);
    await newDelivery(await newWebhook(410));
    await newAuditReader();
    await watch(() => invoke('retry-due-webhooks', { scheduledRun: true }));
  },
  'send-queued': async (watch) => {
    const { sendId } = waitingShape.parse(await send({ mode: 'queued' }));
    const body = JSON.stringify({ slotId: slotIdIn(sendId) });
    await watch(() => invoke('send-queued', { Records: [{ messageId: '1', body }] }));
    const { sendId: byTemplate } = waitingShape.parse(
      await call('POST', '/api/v1/emails/send', {
        body: { to: newAddress(), templateId: await newTemplate(), mode: 'queued' },
      }),
    );
    const other = JSON.stringify({ slotId: slotIdIn(byTemplate) });
    await watch(() => invoke('send-queued', { Records: [{ messageId: '1', body: other }] }));
  },
  'run-send-queue': async (watch) => {
    await send({ sendAt: Date.now() + 60_000 });
    await send({ mode: 'queued' });
    await watch(() => invoke('run-send-queue', { scheduledRun: true }));
  },
  'count-usage': async (watch) => {
    const records = [7, 7].map((sequence) => buildSentRecord({ organizationId, sequence }));
    const apiKey = { S: apiKeyOwnPart(newApiKeyId(organizationId)) };
    const many = Array.from({ length: 100 }, (_, index) =>
      buildSentRecord({ organizationId, sequence: 100 + index }, { apiKey }),
    );
    const bounces = Array.from({ length: 5 }, (_, index) =>
      buildEventRecord('bounced', { organizationId, sequence: 300 + index }),
    );
    for (const Records of [...records.map((record) => [record]), [...many, ...bounces]]) {
      await watch(() => invoke('count-usage', { shardId: 'shard-1', Records }));
    }
  },
  'set-identity': async (watch) => {
    const domain = newDomain();
    await watch(() => setDomain(domain));
    aws.account.turn({ identities: { [domain]: { dkim: 'FAILED' } } });
    await watch(() => setDomain(domain));
    const next = newDomain();
    await watch(() => setDomain(next));
    await publish();
    await watch(() => setDomain(next));
  },
  'get-identity': async (watch) => {
    await setDomain(newDomain());
    await publish();
    await watch(() => call('GET', identityPath));
    const domain = newDomain();
    const former = await newOrganization();
    await setDomain(domain, former.key);
    await publish(former.key);
    await makeDue(former.id);
    await checkIdentities();
    const next = await newOrganization();
    await call('PUT', identityPath, {
      key: next.key,
      body: { domain, fromEmail: `hello@${domain}`, mailFromLabel: 'news' },
    });
    await publish(next.key);
    // The domain moves, also in SES, and bounces are emailed no more.
    const body = { EmailForwardingEnabled: true };
    aws.account.answer({ method: 'PUT', path: `/identities/${domain}/feedback`, body });
    await watch(() => call('GET', identityPath, { key: next.key }));
  },
  'delete-identity': async (watch) => {
    await setDomain(newDomain());
    await watch(() => call('DELETE', identityPath));
    const shared = newDomain();
    await setDomain(shared);
    await setDomain(shared, (await newOrganization()).key);
    await watch(() => call('DELETE', identityPath));
    await setDomain(newDomain());
    await publish();
    await call('GET', identityPath);
  },
  'create-domain': addingDomains(addDomain),
  'resend-api-create-domain': addingDomains(addDomainAsWithResend),
  'resend-api-list-domains': (watch) => watch(() => call('GET', resendDomainsPath)),
  'get-domain': readingDomains(domainsPath),
  'resend-api-get-domain': readingDomains(resendDomainsPath),
  'update-domain': async (watch) => {
    const { key, unused } = await newListener();
    const domain = newDomain();
    const change = (body: unknown, as = key) =>
      call('PATCH', `${domainsPath}/${domain}`, { key: as, body });
    await addDomain(newDomain(), key);
    await addDomain(domain, key);
    aws.account.turn({ identities: { [domain]: { dkim: 'FAILED' } } });
    await watch(() => change({ fromEmail: `a@${domain}` }, unused));
    await publishDomain(domain, key);
    await watch(() => change({ mailFromLabel: 'mail' }));
    await watch(() => change({ default: true }));
  },
  'resend-api-update-domain': async (watch) => {
    const { key, unused } = await newListener();
    const domain = newDomain();
    await addDomain(domain, key);
    const path = `${resendDomainsPath}/${domain}`;
    await watch(() => call('PATCH', path, { key: unused, body: { tls: 'opportunistic' } }));
  },
  'verify-domain': verifyingDomains(domainsPath),
  'resend-api-verify-domain': verifyingDomains(resendDomainsPath),
  'delete-domain': deletingDomains(domainsPath),
  'resend-api-delete-domain': deletingDomains(resendDomainsPath),
  'check-identities': async (watch) => {
    const domain = newDomain();
    await setDomain(domain);
    aws.account.answer({ method: 'DELETE', path: `/identities/${domain}`, body: undefined });
    await makeDue();
    await watch(checkIdentities);
    await publish();
    await makeDue();
    await watch(checkIdentities);

    const deleted = await newOrganization();
    await setDomain(newDomain(), deleted.key);
    await operate('DELETE', `${deleted.path}?name=${deleted.name}`);
    await makeDue(deleted.id);
    await watch(checkIdentities);
  },
  'check-tenant': async (watch) => {
    const { id, key } = await newOrganization();
    await setDomain(newDomain(), key);
    await addDomain(newDomain(), key);
    aws.account.answer({ method: 'POST', path: '/tenants', body: { TenantName: id } });
    const { identity: before, organization } = await getIdentity(table, id);
    if (before === undefined) throw new Error('The organization has no identity');
    const after = { ...before, updatedAt: before.updatedAt + 1 };
    const { domainsVersion } = organization ?? {};
    const tenant = { sending: 'enabled' } as const;
    await storeIdentityChange(table, { before, after }, { tenant, domainsVersion });
    aws.account.turn({ tenants: { [id]: { sendingStatus: 'DISABLED', cause: 'Bounces' } } });

    await watch(() => invoke('check-tenant', tenantEvent(id)));

    // Without a default, another domain's identity is watched.
    await call('DELETE', identityPath, { key });
    aws.account.turn({ tenants: { [id]: { sendingStatus: 'ENABLED' } } });
    await watch(() => invoke('check-tenant', tenantEvent(id)));
  },
  'forward-alarms': (watch) => watch(() => invoke('forward-alarms', { Records: [] })),
  'create-api-key': (watch) => watch(newKey),
  'update-api-key': async (watch) => {
    const path = `/api/v1/api-keys/${await newKey()}`;

    await watch(() => call('PATCH', path, { body: { name: newName() } }));
    await watch(() => call('PATCH', path, { body: { scopes: [] } }));
  },
  'revoke-api-key': async (watch) => {
    const path = `/api/v1/api-keys/${await newKey()}`;
    await watch(() => call('DELETE', path));
  },
  'resend-api-create-api-key': async (watch) => {
    const { key } = await newListener();
    const domain = newDomain();
    await addDomain(domain, key);
    const body = { name: newName(), permission: 'sending_access', domain_id: domain };
    const made = await call('POST', '/resend/api-keys', { key, body: { name: newName() } });
    const { token } = z.object({ token: z.string() }).parse(made);
    await watch(() => call('POST', '/resend/api-keys', { key: token, body }));
  },
  'resend-api-list-api-keys': (watch) => watch(() => call('GET', '/resend/api-keys')),
  'resend-api-update-api-key': async (watch) => {
    const path = `/resend/api-keys/${await newKey()}`;
    await watch(() => call('PATCH', path, { body: { name: newName() } }));
  },
  'resend-api-delete-api-key': async (watch) => {
    const path = `/resend/api-keys/${await newKey()}`;
    await watch(() => call('DELETE', path));
  },
  'resend-api-create-webhook': (watch) => watch(newResendWebhook),
  'resend-api-list-webhooks': (watch) => watch(() => call('GET', resendWebhooksPath)),
  'resend-api-get-webhook': async (watch) => {
    const path = `${resendWebhooksPath}/${await newResendWebhook()}`;
    await watch(() => call('GET', path));
  },
  'resend-api-update-webhook': async (watch) => {
    const path = `${resendWebhooksPath}/${await newResendWebhook()}`;
    await watch(() => call('PATCH', path, { body: { status: 'disabled' } }));
    await watch(() => call('PATCH', path, { body: { status: 'enabled' } }));
  },
  'resend-api-delete-webhook': async (watch) => {
    const path = `${resendWebhooksPath}/${await newResendWebhook()}`;
    await watch(() => call('DELETE', path));
  },
  'resend-api-rotate-webhook-secret': async (watch) => {
    const path = `${resendWebhooksPath}/${await newResendWebhook()}/signing-secret/rotate`;
    await watch(() => call('POST', path));
  },
  'resend-api-list-webhook-events': async (watch) => {
    const { events, delivery } = await newResendEvent();
    await watch(() => call('GET', events));
    await watch(() => call('GET', `${events}?after=${delivery.id}`));
  },
  'resend-api-get-webhook-event': async (watch) => {
    const { event } = await newResendEvent();
    await watch(() => call('GET', event));
  },
  'resend-api-list-webhook-event-attempts': async (watch) => {
    const { event } = await newResendEvent();
    await watch(() => call('GET', `${event}/attempts`));
  },
  'resend-api-replay-webhook-event': async (watch) => {
    const { event, delivery } = await newResendEvent();
    await watch(() => call('POST', `${event}/replay`));
    await attempt(delivery);
    await watch(() => call('POST', `${event}/replay`));
  },
  'resend-api-create-suppression': (watch) =>
    watch(() => call('POST', '/resend/suppressions', { body: { email: newAddress() } })),
  'resend-api-create-suppressions': (watch) =>
    watch(() =>
      call('POST', '/resend/suppressions/batch/add', {
        body: { emails: [newAddress(), newAddress()] },
      }),
    ),
  'resend-api-list-suppressions': async (watch) => {
    await newBounced();
    const email = await newBounced();
    await watch(() => call('GET', '/resend/suppressions'));
    await watch(() => call('GET', `/resend/suppressions?before=${email}`));
  },
  'resend-api-get-suppression': async (watch) => {
    const email = await newBounced();
    await watch(() => call('GET', `/resend/suppressions/${email}`));
  },
  'resend-api-delete-suppression': async (watch) => {
    const email = await newBounced();
    await watch(() => call('DELETE', `/resend/suppressions/${email}`));
  },
  'resend-api-delete-suppressions': async (watch) => {
    const emails = [await newBounced(), await newBounced()];
    await watch(() => call('POST', '/resend/suppressions/batch/remove', { body: { emails } }));
  },
  'resend-api-create-template': (watch) => watch(newResendTemplate),
  'resend-api-list-templates': async (watch) => {
    const alias = await newResendTemplate();
    await watch(() => call('GET', `/resend/templates?after=${alias}`));
  },
  'resend-api-get-template': async (watch) => {
    const alias = await newResendTemplate();
    await watch(() => call('GET', `/resend/templates/${alias}`));
  },
  'resend-api-update-template': async (watch) => {
    const path = `/resend/templates/${await newResendTemplate()}`;
    const id = await newTemplate({ layout: await newLayout() });
    await watch(() => call('PATCH', path, { body: { name: newName(), subject: 'Hello' } }));
    await watch(() => call('PATCH', `/resend/templates/${id}`, { body: { subject: 'Hello' } }));
  },
  'resend-api-publish-template': async (watch) => {
    const id = await newTemplate({ layout: await newLayout() });
    await call('PUT', `/api/v1/templates/${id}`, { body: { layout: null, draft: true } });
    await watch(() => call('POST', `/resend/templates/${id}/publish`));
  },
  'resend-api-duplicate-template': async (watch) => {
    const id = await newTemplate({ layout: await newLayout() });
    await watch(() => call('POST', `/resend/templates/${id}/duplicate`));
  },
  'resend-api-delete-template': async (watch) => {
    const id = await newTemplate({ layout: await newLayout() });
    await watch(() => call('DELETE', `/resend/templates/${id}`));
  },
  'rotate-api-key': async (watch) => {
    const path = `/api/v1/api-keys/${await newKey()}/rotate`;
    await watch(() => call('POST', path));
  },
  'update-organization-settings': (watch) =>
    watch(() => call('PATCH', '/api/v1/organization', { body: { name: newName() } })),
  'get-policy': (watch) => watch(() => call('GET', '/api/v1/policies/newsletter')),
  'put-policy': async (watch) => {
    const path = `/api/v1/policies/${newName()}`;
    const body = { kind: 'bulk', categoryKey: 'news' };

    await watch(() => call('PUT', path, { body }));
    await watch(() => call('PUT', path, { body: { kind: 'transactional' } }));
  },
  'delete-policy': async (watch) => {
    const path = `/api/v1/policies/${newName()}`;
    await call('PUT', path, { body: { kind: 'bulk' } });
    await watch(() => call('DELETE', path));
  },
  'create-category': (watch) => watch(newCategory),
  'update-category': async (watch) => {
    const path = `/api/v1/categories/${await newCategory()}`;
    await watch(() => call('PATCH', path, { body: { name: newName() } }));
  },
  'delete-category': async (watch) => {
    const path = `/api/v1/categories/${await newCategory()}`;
    await watch(() => call('DELETE', path));
  },
  'purge-organizations': async (watch) => {
    const { path, name } = await newOrganization();
    await operate('DELETE', `${path}?name=${name}`);
    const anHourLater = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_700_000);
    onTestFinished(() => anHourLater.mockRestore());

    await watch(() => invoke('purge-organizations', { scheduledRun: true }));
    await watch(() => invoke('purge-organizations', { scheduledRun: true }));
  },
  'send-notices': async (watch) => {
    const run = () => invoke('send-notices', { scheduledRun: true });
    // What people were mailed before.
    while ((await dueNoticesIn(service.table, Date.now())).length > 0) await run();
    const { email } = await newPerson();
    for (const asking of [email, newAddress()]) {
      await call('POST', '/console/sign-in', { key: null, body: { email: asking } });
    }
    await call('PATCH', '/api/v1/organization', { body: { noticeEmail: newAddress() } });
    await watch(run);
    await call('POST', await newConfirmation());
    const [one, other] = [someNotice(), someNotice()];
    const target = await newNoticeTarget();
    await transactWrite(service.table, [putNotice(one)]);
    await watch(run);
    await call('DELETE', target);

    aws.ses.inject({ operation: 'SendEmail', action: answerInstead(sesError('MessageRejected')) });
    await transactWrite(service.table, [putNotice(other)]);
    await watch(() => expect(run()).rejects.toThrow('send-notices threw'));
    await storeDoubt(serviceSlotIdOf(service.organizationId, sendKeyOf(other)));
    await transactWrite(service.table, [putNotice(other)]);
    await watch(run);
  },
  'list-notice-targets': (watch) => watch(() => call('GET', '/api/v1/notice-targets')),
  'put-notice-target': async (watch) => {
    const path = `/api/v1/notice-targets/${newName()}`;
    await watch(() => call('PUT', path, { body: nowhere(1) }));
    await watch(() => call('PUT', path, { body: nowhere(2) }));
    await call('DELETE', path);
  },
  'delete-notice-target': async (watch) => {
    const path = await newNoticeTarget();
    await watch(() => call('DELETE', path));
  },
  'test-notice-target': async (watch) => {
    const path = await newNoticeTarget();
    await watch(() => call('POST', `${path}/test`));
    await call('DELETE', path);
  },
  'request-notice-confirmation': async (watch) => {
    await newConfirmation();
    await watch(() => call('POST', '/api/v1/organization/notice-email/confirmation'));
  },
  'show-notice-confirmation': async (watch) => {
    const path = await newConfirmation();
    await watch(() => call('GET', path));
  },
  'confirm-notice-email': async (watch) => {
    const path = await newConfirmation();
    await watch(() => call('POST', path));
  },
  'create-organization': (watch) =>
    watch(() => operateAsPerson('POST', '/api/v1/organizations', { name: newName() })),
  'list-organization-usage': async (watch) => {
    await newOrganization();
    await watch(() => operateAsPerson('GET', '/api/v1/organization-usage'));
  },
  'list-domain-claims': async (watch) => {
    await setDomain(newDomain());
    await watch(() => operateAsPerson('GET', '/api/v1/domain-claims'));
  },
  'vouch-for-domain': async (watch) => {
    const { id, key } = await newOrganization();
    const domain = newDomain();
    await setDomain(domain, key);
    const body = { domain, organizationId: id };
    await watch(() => operateAsPerson('POST', '/api/v1/domain-claims', body));
  },
  'release-domain': async (watch) => {
    const { id, key } = await newOrganization();
    const domain = newDomain();
    await setDomain(domain, key);
    await publish(key);
    await call('GET', identityPath, { key });
    const path = `/api/v1/domain-claims/${domain}?organizationId=${id}`;
    await watch(() => operateAsPerson('DELETE', path));

    const vouched = newDomain();
    await operate('POST', '/api/v1/domain-claims', { domain: vouched, organizationId: id });
    await watch(() =>
      operateAsPerson('DELETE', `/api/v1/domain-claims/${vouched}?organizationId=${id}`),
    );
  },
  'list-organizations': async (watch) => {
    await newOrganization();
    await watch(() => operateAsPerson('GET', '/api/v1/organizations'));
  },
  'get-organization': async (watch) => {
    const { path } = await newOrganization();
    await watch(() => operateAsPerson('GET', path));
  },
  'update-organization': async (watch) => {
    const { path } = await newOrganization();
    await watch(() =>
      operateAsPerson('PATCH', path, { paused: true, linkDomain: 'permitted.localhost' }),
    );
    await watch(() => operateAsPerson('PATCH', path, { linkDomain: null, formerLinkDomains: [] }));
  },
  'delete-organization': async (watch) => {
    const { path, name, key } = await newOrganization();
    await setDomain(newDomain(), key);
    await watch(() => operateAsPerson('DELETE', `${path}?name=${name}`));
    await watch(() => operateAsPerson('DELETE', `${path}?name=${name}`));
  },
  'create-organization-api-key': async (watch) => {
    const { path } = await newOrganization();
    await watch(() => operateAsPerson('POST', `${path}/api-keys`));
  },
  'get-openapi': (watch) => watch(() => call('GET', '/openapi.json', { key: null })),
  'get-llms-txt': (watch) => watch(() => call('GET', '/llms.txt', { key: null })),
  'show-docs': (watch) => watch(() => call('GET', '/docs', { key: null })),
  'show-console': (watch) => watch(() => call('GET', '/console', { key: null })),
  'create-session': async (watch) => {
    const body = { key: service.keys[1] };
    await watch(() => call('POST', '/console/session', { key: null, body }));
    const { path } = linkShape.parse(await call('POST', '/console/links'));
    const link = path.split('#')[1];
    await watch(() => call('POST', '/console/session', { key: null, body: { link } }));
    const mailed = await newMailedLinkText();
    await watch(() => call('POST', '/console/session', { key: null, ...mailed }));
  },
  'get-session': async (watch) => {
    const headers = { cookie: await signedInCookie() };
    await watch(() => call('GET', '/console/session', { key: null, headers }));
  },
  'delete-session': async (watch) => {
    const headers = { cookie: await signedInCookie(), origin: service.baseUrl };
    await watch(() => call('DELETE', '/console/session', { key: null, headers }));
  },
  'confirm-session': async (watch) => {
    const headers = { cookie: await signedInCookie(), origin: service.baseUrl };
    const body = { key: service.keys[1] };
    await watch(() => call('POST', '/console/session/confirm', { key: null, headers, body }));
  },
  'list-sessions': async (watch) => {
    const headers = { cookie: await signedInCookie() };
    await watch(() => call('GET', '/console/sessions', { key: null, headers }));
  },
  'end-session': async (watch) => {
    const headers = { cookie: await signedInCookie(), origin: service.baseUrl };
    const listed = await call('GET', '/console/sessions', { key: null, headers });
    const [own] = z.object({ data: z.array(z.object({ id: z.string() })) }).parse(listed).data;
    await watch(() => call('DELETE', `/console/sessions/${own?.id}`, { key: null, headers }));
  },
  'end-other-sessions': async (watch) => {
    await signedInCookie();
    const headers = { cookie: await signedInCookie(), origin: service.baseUrl };
    await watch(() => call('DELETE', '/console/sessions', { key: null, headers }));
  },
  'list-own-organizations': async (watch) => {
    const { id } = await newPerson();
    const headers = { cookie: await signedInCookie(apiKeyIdSchema.parse(id)) };
    await watch(() => call('GET', '/console/organizations', { key: null, headers }));
  },
  'switch-organization': async (watch) => {
    const { id, email } = await newPerson();
    const { id: organizationId, key } = await newOrganization();
    await call('POST', '/api/v1/people', { key, body: { email, role: 'viewer' } });
    const cookie = await signedInCookie(apiKeyIdSchema.parse(id));
    const headers = { cookie, origin: service.baseUrl };
    const body = { organizationId };
    await watch(() => call('POST', '/console/session/switch', { key: null, headers, body }));
  },
  'enter-organization': async (watch) => {
    const { id } = await newOrganization();
    const body = { organizationId: id, reason: 'Ticket 4711' };
    await watch(() => operateAsPerson('POST', '/console/operator/enter', body));
  },
  'get-sign-in-link': async (watch) => {
    const { path } = linkShape.parse(await call('POST', '/console/links'));
    const body = { link: path.split('#')[1] };
    await watch(() => call('POST', '/console/links/look', { key: null, body }));
    const mailed = await newMailedLinkText();
    await watch(() => call('POST', '/console/links/look', { key: null, body: mailed.body }));
  },
  'show-preview': async (watch) => {
    const body = { content: 'Hello {{name}}', layout: await newLayout() };
    await watch(() => call('POST', '/console/preview', { body }));
  },
  'show-page-preview': (watch) => watch(() => call('GET', '/console/preview/preferences')),
  'create-sign-in-link': (watch) => watch(() => call('POST', '/console/links')),
  'request-sign-in': async (watch) => {
    const { email } = await newPerson();
    const ask = (body: object) => call('POST', '/console/sign-in', { key: null, body });
    await watch(() => ask({ email }));
    await watch(() => ask({ email: newAddress() }));
    await watch(() => ask({ email: localOperator }));
  },
  'get-sign-in-options': (watch) =>
    watch(() => call('GET', '/console/sign-in/options', { key: null })),
  'start-issuer-sign-in': async (watch) => {
    const browser = openBrowser(service.baseUrl);
    await watch(() => browser.go('/console/oidc/sign-in', {}, issuer.url));
  },
  'show-issuer-sign-out': async (watch) => {
    const browser = openBrowser(service.baseUrl);
    await watch(() => browser.go('/console/oidc/sign-out', {}, service.baseUrl));
  },
  'finish-issuer-sign-in': async (watch) => {
    await newAdmin();
    const email = newAddress();
    // Made, then lowered, which needs another manager, then removed.
    for (const groups of [['email-admin'], ['email-viewer'], []]) {
      await signInAtIssuer({ sub: email, email, groups, sid: email }, watch);
    }
  },
  'end-issuer-sessions': async (watch) => {
    const email = newAddress();
    await signInAtIssuer({ sub: email, email, groups: ['email-viewer'] });
    const body = new URLSearchParams({ logout_token: await issuer.logoutToken({ sub: email }) });
    const browser = openBrowser(service.baseUrl);
    await watch(() => browser.go('/console/oidc/logout', { method: 'POST', body }));
  },
  'create-passkey-challenge': async (watch) => {
    await watch(() => newPasskeyPerson().ask());
  },
  'create-passkey-options': async (watch) => {
    const { session, askToAdd } = await newPersonWithPasskey();
    await watch(() => askToAdd(session));
  },
  'create-passkey': async (watch) => {
    const { id, session, add, askToAdd, authenticator } = await newPersonWithPasskey();
    const made = authenticator.create(await askToAdd(session));
    await forgetUse(id);
    await watch(() => add(session, made));
  },
  'list-passkeys': async (watch) => {
    const { session: headers } = await newPersonWithPasskey();
    await watch(() => call('GET', '/console/passkeys', { key: null, headers }));
  },
  'delete-passkey': async (watch) => {
    const { session: headers, passkey } = await newPersonWithPasskey();
    const path = `/console/passkeys/${passkey.id}`;
    await watch(() => call('DELETE', path, { key: null, headers }));
  },
  'create-passkey-session': async (watch) => {
    const { ask, answer, authenticator } = await newPersonWithPasskey();
    const { options, browser } = await ask();
    await watch(async () => {
      expect(await answer(authenticator.get(options), browser)).toMatchObject({ status: 204 });
    });
  },
  'list-people': async (watch) => {
    await newPerson();
    await watch(() => call('GET', '/api/v1/people'));
  },
  'invite-person': (watch) => watch(newPerson),
  'update-person': async (watch) => {
    const { path } = await newAdmin();
    await watch(() => call('PATCH', path, { body: { role: 'viewer' } }));
  },
  'sign-out-person': async (watch) => {
    const { id } = await newPerson('admin');
    // Until they have come, another one must be able to manage the organization.
    await signedInCookie(apiKeyIdSchema.parse(id));
    await watch(() => call('DELETE', `/api/v1/people/${id}/sessions`));
  },
  'remove-person': async (watch) => {
    const { path } = await newAdmin();
    await watch(() => call('DELETE', path));
  },
  'list-audit-entries': async (watch) => {
    const { cookie, path } = await newAdmin();
    const headers = { cookie, origin: service.baseUrl };
    await call('DELETE', '/console/session', { key: null, headers });
    const person = path.split('/').at(-1);
    await watch(async () => {
      await call('GET', '/api/v1/audit');
      await call('GET', `/api/v1/audit?person=${person}`);
    });
  },
  'export-audit-entries': async (watch) => {
    const { cookie, path } = await newAdmin();
    const headers = { cookie, origin: service.baseUrl };
    await call('DELETE', '/console/session', { key: null, headers });
    const person = path.split('/').at(-1);
    await watch(async () => {
      await call('GET', '/api/v1/audit/export');
      await call('GET', `/api/v1/audit/export?person=${person}`);
    });
  },
  'refuse-unknown-route': (watch) =>
    watch(() => expect(call('GET', '/no-such-thing')).rejects.toThrow('endpoint_not_found')),
};

/** A webhook that gets the audit, and an entry old enough for it. */
async function newAuditReader(): Promise<void> {
  const body = { url: 'https://siem.example.com/audit', eventTypes: ['audit.recorded'] };
  const { id } = z
    .object({ id: webhookIdSchema })
    .parse(await call('POST', '/api/v1/webhooks', { body }));
  const { organizationId, table } = service;
  const person = z.object({ id: apiKeyIdSchema }).parse(await newPerson());
  const actor = { key: person.id, session: newSessionId(organizationId), isPerson: true } as const;
  const change = { action: 'any.change', target: 'any' };
  const at = Date.now() - 2 * settledAfterMs;
  await appendAuditEntry(table, newAuditEntry(organizationId, actor, change, at));
  const update = updateIf(webhookKey(id), { set: { auditReadTo: sortableTime(at - 1) } }, []);
  await table.client.send(new UpdateCommand({ TableName: table.name, ...update }));
}

const linkShape = z.object({ path: z.string() });

/** Goes to the issuer, which says this of them, and comes back. */
async function signInAtIssuer(claims: Claims, watch: Watch = async (act) => void (await act())) {
  const browser = openBrowser(service.baseUrl);
  const answer = await issuer.answerTo(browser, { claims });
  await watch(() => browser.go(answer, {}, service.baseUrl));
}

/** Invited by the manager. */
async function newPerson(role = 'support') {
  const body = { email: newAddress(), role };
  const made = await call('POST', '/api/v1/people', { body });
  return z.object({ id: z.string(), email: z.string() }).parse(made);
}

/** Invited by the manager, and has signed in: now the organization can be managed without the manager. */
async function newAdmin() {
  const { id } = await newPerson('admin');
  const path = `/api/v1/people/${id}`;
  const cookie = await signedInCookie(apiKeyIdSchema.parse(id));
  await call('GET', '/console/session', { key: null, headers: { cookie } });
  return { path, cookie };
}

/** As if the hour were over in which a use is noted once. */
const forgetUse = (id: ApiKeyId) =>
  service.table.client.send(
    new UpdateCommand({
      TableName: service.table.name,
      Key: apiKeyKey(id),
      UpdateExpression: 'SET lastUsedAt = :longAgo REMOVE sessionsUsedAt',
      ExpressionAttributeValues: { ':longAgo': 1 },
    }),
  );

const newPasskeyPerson = () =>
  passkeyPerson(service.baseUrl, new URL(process.env['PUBLIC_BASE_URL'] ?? '').origin);

/** Signed in, with a passkey. */
async function newPersonWithPasskey() {
  const id = apiKeyIdSchema.parse((await newPerson()).id);
  const person = newPasskeyPerson();
  const session = person.withCookie(await signedInCookie(id));
  const made = person.authenticator.create(await person.askToAdd(session));
  const { json } = await person.add(session, made);
  await forgetUse(id);
  return { ...person, id, session, passkey: z.object({ id: z.string() }).parse(json) };
}

/** Signs somebody in, the manager by default, and answers the cookie of that. */
async function signedInCookie(id = parseApiKey(service.keys[1]).id): Promise<string> {
  const found = await getApiKey(service.table, id);
  if (found === undefined) throw new Error('The manager has no key');
  const now = Date.now();
  const { text, signIn } = newSession(found.apiKey, { by: 'key' }, now);
  await replaceSignIns(service.table, found.apiKey, withSignIn(found.apiKey.signIns, signIn, now));
  return `session=${text}`;
}

/** That somebody invited got, and the cookie of the browser that asked for it. */
async function newMailedLinkText() {
  const { id, email } = await newPerson();
  const browser = randomBase32(32);
  const asked = newMailedLink(email, browser, Date.now());
  const { text, secretHash } = mailedLinkText(asked.id, randomBase32(32));
  const made = { keyId: apiKeyIdSchema.parse(id), secretHash };
  await storeMailedLink(service.table, { ...asked, made });
  const headers = { cookie: `sign-in=${browser}`, origin: service.baseUrl };
  return { body: { link: text }, headers };
}

async function newCategory(): Promise<string> {
  const key = newName();
  await call('POST', '/api/v1/categories', { body: { key, name: 'News' } });
  return key;
}

/** Calls the API as the operator. */
const operate = (method: string, path: string, body?: unknown) =>
  call(method, path, { key: null, headers: { 'x-operator-secret': operatorSecret }, body });

let operatorBrowser: Readonly<Record<string, string>> = {};

/** Signs an operator in. Their session is used for the first time, which is noted. */
async function signOperatorIn(): Promise<void> {
  operatorBrowser = await operatorHeaders(service.table, service.baseUrl);
  await service.table.client.send(
    new UpdateCommand({
      TableName: service.table.name,
      Key: apiKeyKey(personalKeyIdOf(operatorsId, localOperator)),
      UpdateExpression: 'REMOVE lastUsedAt',
    }),
  );
}

/** Calls the API in a session of an operator, which needs all that a call with the secret does, and more. */
const operateAsPerson = (method: string, path: string, body?: unknown) =>
  call(method, path, { key: null, headers: operatorBrowser, body });

const createdShape = z.object({
  organization: z.object({ id: organizationIdSchema }),
  apiKey: z.object({ key: z.string() }),
});

/** Has the organization wait for the confirmation of a new address, and answers the path of the link. */
async function newConfirmation(): Promise<string> {
  await service.table.client.send(
    new UpdateCommand({
      TableName: service.table.name,
      Key: organizationKey(service.organizationId),
      UpdateExpression: 'SET noticeEmail = :address, noticeEmailState = :pending',
      ExpressionAttributeValues: { ':address': newAddress(), ':pending': 'pending' },
    }),
  );
  const organization = await getOrganization(service.table, service.organizationId);
  if (organization === undefined) throw new Error('The organization is gone');
  const { keyring } = aws;
  const request = newConfirmationRequest(organization, Date.now());
  const text = confirmationText(request, organization, { baseUrl: '', keyring });
  return /\/notices\S+/.exec(text)?.[0] ?? '';
}

async function newOrganization() {
  const name = newName();
  const created = await operate('POST', '/api/v1/organizations', { name });
  const { organization, apiKey } = createdShape.parse(created);
  const { id } = organization;
  return { id, name, key: apiKey.key, path: `/api/v1/organizations/${id}` };
}

const identityPath = '/api/v1/organization/identity';
const newDomain = (): string => `${newName()}.example.org`;

const setDomain = (domain: string, key?: string) =>
  call('PUT', identityPath, {
    body: { domain, fromEmail: `hello@${domain}` },
    ...(key !== undefined && { key }),
  });

/** A new organization that hears of its domains: a key of it, and one that nobody has used. */
async function newListener() {
  const { key } = await newOrganization();
  await call('POST', '/api/v1/webhooks', { key, body: { url: 'https://hooks.example.com/' } });
  const body = { name: newName(), scopes: ['manage_organization'] };
  const made = await call('POST', '/api/v1/api-keys', { key, body });
  return { key, unused: z.object({ key: z.string() }).parse(made).key };
}

const recordsShape = z.object({ zoneFile: z.string() });

/** Publishes what the identity needs, so that SES verifies it. */
async function publish(key?: string): Promise<void> {
  const asked = await call('GET', identityPath, key === undefined ? {} : { key });
  const { zoneFile } = recordsShape.parse(asked);
  aws.account.dns.publish(zoneFile);
}

/** The same of one of several domains. */
async function publishDomain(domain: string, key: string): Promise<void> {
  const { zoneFile } = recordsShape.parse(await call('GET', `${domainsPath}/${domain}`, { key }));
  aws.account.dns.publish(zoneFile);
}

const { table } = service;

/** Makes the next run of the checks find the identity. */
async function makeDue(organizationId = service.organizationId): Promise<void> {
  const { identity: before } = await getIdentity(table, organizationId);
  if (before === undefined) throw new Error('The organization has no identity');
  const after = { ...before, nextCheckAt: 0, updatedAt: before.updatedAt + 1 };
  await storeIdentityChange(table, { before, after }, {});
}

const tenantEvent = (id: OrganizationId) => ({
  source: 'aws.ses',
  'detail-type': 'Sending Status Disabled',
  resources: [`arn:aws:ses:us-east-1:000000000000:tenant/${id}/tn-1`],
});

const checkIdentities = () => invoke('check-identities', { scheduledRun: true });

const importBounce = (email: string) =>
  call('POST', '/api/v1/suppressions/import', {
    headers: { 'content-type': 'text/csv' },
    body: `email,reason\n${email},bounce\n`,
  });

/** A send, its replay, one by template, its replay when that is gone, and one that SES refuses. */
function sending(path: string): Scenario {
  return async (watch) => {
    const to = newAddress();
    const key = { 'idempotency-key': newName() };
    const templateId = await newTemplate();
    const template = { subject: undefined, content: undefined, htmlContent: undefined, templateId };
    const templateKey = { 'idempotency-key': newName() };
    const otherKey = { 'idempotency-key': newName() };

    await watch(() => send({ to }, key, path));
    await watch(() => send({ to }, key, path));
    await watch(() => send({ to, ...template }, templateKey, path));
    await call('DELETE', `/api/v1/templates/${templateId}`);
    await watch(() => send({ to, ...template }, templateKey, path));
    aws.ses.inject({ operation: 'SendEmail', action: answerInstead(sesError('MessageRejected')) });
    await watch(() => expect(send({}, otherKey, path)).rejects.toThrow('provider_rejected'));
    await storeDoubt(slotIdOf(service.organizationId, otherKey['idempotency-key']));
    await watch(() => send({}, otherKey, path));
  };
}

/** Another process has the domain's lease in between, so it's still leaving SES afterwards. */
async function whileLeased(domain: string, act: () => Promise<unknown>): Promise<void> {
  const lease = await beginDomainLease(table, domain, organizationId, Date.now());
  await act();
  if (lease !== undefined) await endDomainLease(table, domain, lease);
}

/** Domains as the organization adds them: new, failed in SES, active, and after one that is still leaving SES. */
function addingDomains(add: typeof addDomain): Scenario {
  return async (watch) => {
    const { key, unused } = await newListener();
    const [first, domain] = [newDomain(), newDomain()];
    await watch(() => add(first, unused));
    await watch(() => add(domain, key));
    aws.account.turn({ identities: { [domain]: { dkim: 'FAILED' } } });
    await watch(() => add(domain, key));
    await publishDomain(domain, key);
    await watch(() => add(domain, key));
    await whileLeased(first, () => call('DELETE', `${domainsPath}/${first}`, { key }));
    await watch(() => add(newDomain(), key));
  };
}

function readingDomains(path: string): Scenario {
  return async (watch) => {
    const { key, unused } = await newListener();
    const domain = newDomain();
    await addDomain(newDomain(), key);
    await addDomain(domain, key);
    await publishDomain(domain, key);
    await watch(() => call('GET', `${path}/${domain}`, { key: unused }));
    const next = await newListener();
    await call('POST', domainsPath, { key: next.key, body: { domain, mailFromLabel: 'news' } });
    await publishDomain(domain, next.key);
    // The domain moves, also in SES, and bounces are emailed no more.
    const body = { EmailForwardingEnabled: true };
    aws.account.answer({ method: 'PUT', path: `/identities/${domain}/feedback`, body });
    await watch(() => call('GET', `${path}/${domain}`, { key: next.key }));
  };
}

function verifyingDomains(path: string): Scenario {
  return async (watch) => {
    const { key, unused } = await newListener();
    const domain = newDomain();
    const verify = (as = key) => call('POST', `${path}/${domain}/verify`, { key: as });
    await addDomain(domain, key);
    await watch(() => verify(unused));
    aws.account.turn({ identities: { [domain]: { dkim: 'FAILED' } } });
    await watch(() => verify());
    const next = newDomain();
    await whileLeased(domain, () => setDomain(next, key));
    await watch(() => call('POST', `${path}/${next}/verify`, { key }));
    await publishDomain(next, key);
    await watch(() => call('POST', `${path}/${next}/verify`, { key }));
  };
}

const newResources: Readonly<Record<Resource, () => Promise<string>>> = {
  sends: async () => (await newMail()).sendId,
  templates: () => newTemplate(),
  webhooks: async () => listener,
};

function reading(name: FunctionName): Scenario {
  return async (watch) => {
    const { path } = routeOf(name);
    const resource = resourceOf({ path });
    const id = resource === undefined ? '' : await newResources[resource]();
    await watch(() => call('GET', path.replace('{id}', id)));
  };
}

function deletingDomains(path: string): Scenario {
  return async (watch) => {
    const { key, unused } = await newListener();
    const domain = newDomain();
    const shared = newDomain();
    await addDomain(domain, key);
    await addDomain(shared, key);
    await addDomain(shared, (await newListener()).key);
    await watch(() => call('DELETE', `${path}/${domain}`, { key: unused }));
    await watch(() => call('DELETE', `${path}/${shared}`, { key }));
  };
}

/** Other scenarios change the domain. */
async function ownAddress(): Promise<string> {
  const { sendId } = await newMail();
  const { send: sent } = z
    .object({ send: z.object({ fromEmail: z.string() }) })
    .parse(await call('GET', `/api/v1/sends/${sendId}`));
  return sent.fromEmail;
}

async function sendingAsWithResend(watch: Watch): Promise<void> {
  const templateId = await newTemplate();
  const key = { 'idempotency-key': newName() };
  const fields = {
    from: await ownAddress(),
    content: undefined,
    htmlContent: undefined,
    text: 'Hi',
  };
  const sendWith = (more: object, headers: Record<string, string> = {}) =>
    watch(() => send({ ...fields, ...more }, headers, '/resend/emails'));
  const to = newAddress();

  await sendWith({ to }, key);
  await sendWith({ to }, key);
  const byTemplate = { to, text: undefined, subject: undefined, template: { id: templateId } };
  const templateKey = { 'idempotency-key': newName() };
  await sendWith(byTemplate, templateKey);
  await call('DELETE', `/api/v1/templates/${templateId}`);
  await sendWith(byTemplate, templateKey);
  await sendWith({ scheduled_at: 'in 1 hour' });
  await sendWith({ attachments: [{ filename: 'a.txt', content: 'YQ==' }] });
  const otherKey = { 'idempotency-key': newName() };
  aws.ses.inject({ operation: 'SendEmail', action: answerInstead(sesError('MessageRejected')) });
  await expect(sendWith({}, otherKey)).rejects.toThrow('application_error');
  await storeDoubt(slotIdOf(service.organizationId, otherKey['idempotency-key']));
  await sendWith({}, otherKey);
}

async function batching(watch: Watch): Promise<void> {
  const to = newAddress();
  const templateId = await newTemplate();
  const key = { 'idempotency-key': newName() };
  const emails = [
    { to, subject: 'Hello', content: 'Hello' },
    { to, templateId },
  ];
  const sendBatch = () => call('POST', '/api/v1/emails/batch', { body: { emails }, headers: key });

  aws.ses.inject({ operation: 'SendEmail', action: answerInstead(sesError('MessageRejected')) });
  await watch(sendBatch);
  await watch(sendBatch);
  await call('DELETE', `/api/v1/templates/${templateId}`);
  await watch(sendBatch);
}

async function batchingAsWithResend(watch: Watch): Promise<void> {
  const to = newAddress();
  const templateId = await newTemplate();
  const from = await ownAddress();
  const emails = [
    { from, to, subject: 'Hello', text: 'Hello' },
    { from, to, template: { id: templateId } },
    { from, to, subject: 'Later', text: 'Hello', scheduled_at: 'in 1 hour' },
    { from, to, subject: 'File', text: 'Hello', attachments: [{ filename: 'a', content: 'YQ==' }] },
  ];
  const headers = { 'idempotency-key': newName() };
  const sendBatch = () => call('POST', '/resend/emails/batch', { body: emails, headers });

  aws.ses.inject({ operation: 'SendEmail', action: answerInstead(sesError('MessageRejected')) });
  await watch(sendBatch);
  await watch(sendBatch);
  await call('DELETE', `/api/v1/templates/${templateId}`);
  await watch(sendBatch);
}

/** The four that send: alone and in a batch, in their own words and by template. */
function sendingAsWithPostmark() {
  return {
    'postmark-api-send-email': postmarkSending('', (email) => email),
    'postmark-api-send-email-with-template': postmarkSending('/withTemplate', (email) => email),
    'postmark-api-send-email-batch': postmarkSending('/batch', (email) => [email]),
    'postmark-api-send-email-batch-with-templates': postmarkSending(
      '/batchWithTemplates',
      (email) => ({ Messages: [email] }),
    ),
  };
}

function postmarkSending(path: string, bodyOf: (email: object) => object): Scenario {
  const isByTemplate = path.includes('Template');
  return async (watch) => {
    const TemplateAlias = await newTemplate();
    const words = isByTemplate ? { TemplateAlias } : { Subject: 'Hi', TextBody: 'Hi' };
    const fields = { From: await ownAddress(), ...words };
    const sendWith = (more: object, headers: Record<string, string> = {}) =>
      call('POST', `/postmark/email${path}`, { body: bodyOf({ ...fields, ...more }), headers });
    const key = { 'idempotency-key': newName() };
    const To = newAddress();

    await watch(() => sendWith({ To }, key));
    await watch(() => sendWith({ To }, key));
    await watch(() => sendWith({ To, Attachments: [{ Name: 'a.txt', Content: 'YQ==' }] }));
    if (path.startsWith('/batch')) {
      const action = answerInstead(sesError('TooManyRequestsException'));
      aws.ses.inject({ operation: 'SendEmail', times: 100, action });
      await watch(() => sendWith({ To }, { 'idempotency-key': newName() }));
      aws.ses.clear();
    }
    if (!isByTemplate) return;
    await call('DELETE', `/api/v1/templates/${TemplateAlias}`);
    await watch(() => sendWith({ To }, key));
  };
}

const someNotice = () => {
  const content = { cause: 'identity_lost', subject: 'Lost', text: 'The domain is lost.' } as const;
  return newNotice(service.organizationId, { ...content, about: newName() }, Date.now());
};

/** Makes an attempt that failed look like one that may have gone out, and whose lease is over. */
async function storeDoubt(slotId: SlotId): Promise<void> {
  await service.table.client.send(
    new UpdateCommand({
      TableName: service.table.name,
      Key: sendKey(slotId),
      UpdateExpression: 'SET doubtUntil = :past',
      ExpressionAttributeValues: { ':past': 1 },
    }),
  );
}

async function storeOwner(domain: string): Promise<void> {
  const { organizationId } = service;
  const owner = { domain, organizationId, proof: 'record', claimedAt: Date.now() };
  const Item = { ...domainKey(domain), ...owner };
  await service.table.client.send(new PutCommand({ TableName: service.table.name, Item }));
}

/** What a person does with a mail: twice, and also where the contact was not stored. */
function withAndWithoutContact(
  act: (mail: Awaited<ReturnType<typeof newMail>>) => Promise<unknown>,
): Scenario {
  return async (watch) => {
    for (const mail of [await newMail(), await newMailWithoutContact()]) {
      await watch(() => act(mail));
      await watch(() => act(mail));
    }
  };
}

/** Of the retry queue: nothing can be made of it, so it is postponed. */
const unreadableMessage = {
  messageId: '1',
  receiptHandle: 'handle',
  body: '{}',
  attributes: { ApproximateReceiveCount: '1' },
};

function receiveEvent(type: SesEventType, { messageId }: { messageId: string }, tags: object) {
  const mail = buildSesMail({ messageId, tags });
  return receiveProviderEvent(buildSesEvent(type, { mail }));
}

/** An address to which an email bounced for good. */
async function newBounced(): Promise<string> {
  const { to, messageId, sendId } = await newMail();
  const bounce = {
    bounceType: 'Permanent',
    bounceSubType: 'General',
    bouncedRecipients: [{ emailAddress: to }],
    timestamp: new Date().toISOString(),
  };
  await receiveProviderEvent(
    buildSesEvent('Bounce', {
      mail: buildSesMail({ messageId, destination: [to], tags: tagsOf(sendId) }),
      bounce,
    }),
  );
  return to;
}

const testKey = buildApiKey({ organizationId: service.organizationId, test: true });
await putApiKey(service.table, testKey.apiKey);

const revoked = buildApiKey({ organizationId: service.organizationId, revokedAt: 1 });
await putApiKey(service.table, revoked.apiKey);

function routeOf(name: FunctionName) {
  const route = routes.find(({ functionName }) => functionName === name);
  if (route === undefined) throw new Error(`${name} has no route`);
  return route;
}

/** A program that goes on with a key that is revoked. */
async function callRevoked(name: FunctionName): Promise<void> {
  const route = routeOf(name);
  const path = route.path.replaceAll(/\{\w+\+?\}/g, 'x');
  const { status } = await fetch(`${service.baseUrl}${path}`, {
    method: route.method,
    headers: { 'x-api-key': revoked.text },
  });
  // Resend's clients are told of a wrong key by 403.
  expect(status).toBe(path.startsWith('/resend/') ? 403 : 401);
}

describe('an AWS call of a function', () => {
  const requests = () => [aws.dynamodb, aws.ses, aws.sqs].map((proxy) => [...proxy.requests]);

  it.each(functionCatalogue)('is allowed by its role: $name', async (declaration) => {
    const own: RecordedRequest[] = [];
    // A key's use is noted once an hour: the first request of the scenario that uses the key notes it.
    let forgotten: Promise<unknown> | undefined;

    const watch: Watch = async (act) => {
      forgotten ??= Promise.all([service.forgetKeyUses(), signOperatorIn()]);
      await forgotten;
      const before = requests();
      await act();
      own.push(...requests().flatMap((after, index) => after.slice(before[index]?.length)));
    };
    const scenario = scenarios[declaration.name] ?? reading(declaration.name);
    await scenario(watch);
    if (declaration.notesRefusals) await watch(() => callRevoked(declaration.name));

    expect(neededFor(own, declaration)).toEqual(grantedTo(declaration));
    expect(writesElsewhere(own, declaration)).toEqual([]);
    if (own.some(storesAuditEntry))
      expect(declaration.countsChanges ?? false).toBe(!isUncounted(declaration));
  });
});

/** No later version reads them: they're about one run, or about ten seconds of attempts at a webhook host. */
const passingKinds = ['DOMAIN#* LEASE', 'PURGE PURGE', 'HOST#* *'];

it('every kind of stored item has a fixture that later versions must read', async () => {
  const folder = join(import.meta.dirname, 'fixtures');
  const frozen = readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8').trim().split('\n').slice(1).map(kindIn),
  );
  const known = new Set([...frozen, ...passingKinds]);

  const kinds = new Set((await allItems(service.table)).map(kindOf));

  const unknown = [...kinds].filter((kind) => !known.has(kind));
  expect(unknown, 'tell the story of these in support/stored-story.ts, and freeze it').toEqual([]);
});

const kindIn = (line: string): string => kindOf(JSON.parse(line));

/**
 * What changes are kept without counting in the day of an organization: the operators', and what ends access or keeps
 * an email from going out.
 */
const isUncounted = ({ name, readsSecrets = [] }: FunctionDeclaration): boolean =>
  readsSecrets.includes('operatorSecret') || alwaysWorks.has(name);

const alwaysWorks = new Set([
  'revoke-api-key',
  'resend-api-delete-api-key',
  'cancel-send',
  'resend-api-cancel-email',
  'erase-contact',
  'enter-organization',
  'create-session',
  'confirm-session',
  'delete-session',
  'create-passkey-session',
  'delete-passkey',
  'create-sign-in-link',
  'send-notices',
  // As an administrator of the issuer changes access, so no day's count may keep it from ending.
  'finish-issuer-sign-in',
  'end-issuer-sessions',
  'switch-organization',
  'end-session',
  'end-other-sessions',
  'remove-person',
  'sign-out-person',
  'confirm-notice-email',
]);

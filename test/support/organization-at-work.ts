import { createServer } from 'node:http';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll } from 'vitest';
import * as z from 'zod/mini';
import { putApiKey } from '#shared/access/api-key-store';
import { scopes } from '#shared/access/scopes';
import { putOrganization } from '#shared/organizations/organization-store';
import { putCategory } from '#shared/preferences/category-store';
import { apiKeyKey } from '#shared/table/keys';
import { openTable } from '#shared/table/table-client';
import { transactWrite } from '#shared/table/writes';
import {
  feedbackIdOf,
  sendIdSchema,
  type WebhookId,
  webhookIdSchema,
} from '#shared/tokens/resource-id';
import type { DeliveryReference } from '#shared/webhook-deliveries/delivery';
import { putDeliveries } from '#shared/webhook-deliveries/delivery-store';
import { deliveriesOf } from '#shared/webhook-deliveries/outbox';
import { defaultFunction, type FunctionName } from '../../functions/endpoints.ts';
import { routes } from '../../functions/routes.ts';
import { setEnvironment, tableName } from '../../infra/local/environment.ts';
import { invokeFunction } from '../../infra/local/gateway/functions.ts';
import { startGateway } from '../../infra/local/gateway/gateway.ts';
import { listen } from '../../infra/local/server.ts';
import { createProviderEventIntake } from '../../infra/local/ses/event-intake.ts';
import { buildApiKey } from './api-key-builder.ts';
import { dynamodbError } from './aws-answers.ts';
import { createBundleLoader } from './bundle-loader.ts';
import { copyBundles } from './bundles-folder.ts';
import { buildEmailEvent, farExpiry } from './delivery-builder.ts';
import { answerInstead } from './faults.ts';
import { startFaultyAws } from './faulty-aws.ts';
import { buildOrganization } from './organization-builder.ts';
import { ownDatabase } from './own-database.ts';

export type OrganizationAtWork = Awaited<ReturnType<typeof useOrganizationAtWork>>;

/**
 * Starts every function as it is deployed, bundled, in this process, with one organization that uses all
 * of the service: two keys, a category, a policy, and a webhook endpoint that wants every event. Nothing
 * happens that the test does not ask for: no event, no webhook and no schedule comes by itself.
 *
 * @param environment of the functions, beside what they need.
 * @param signingKey of the tokens in links; a new one by default.
 */
export async function useOrganizationAtWork(
  environment: Readonly<Record<string, string>> = {},
  signingKey?: string,
) {
  const aws = await startFaultyAws(ownDatabase(), signingKey);
  const folder = await copyBundles();
  const loadHandler = createBundleLoader(folder);
  const restoreEnvironment = setEnvironment({
    ...aws.environment,
    BUILT_FILES_FOLDER: folder,
    WEBHOOK_MAX_ATTEMPTS: '1',
    ...environment,
  });
  await aws.createTable();
  const receiveProviderEvent = createProviderEventIntake(
    loadHandler,
    aws.environment['PROVIDER_EVENTS_TOPIC_ARN'] ?? '',
  );
  const gateway = await startGateway({
    port: 0,
    routes,
    defaultFunction,
    loadHandler,
    receiveProviderEvent,
    reportFault: (functionName, fault) => console.error(functionName, fault),
  });
  const receiver = await startReceiver();
  afterAll(async () => {
    await Promise.all([gateway.stop(), receiver.stop()]);
    await aws.stop();
    restoreEnvironment();
  });

  const table = openTable(tableName);
  const organization = buildOrganization({
    attachmentsEnabled: true,
    policies: { newsletter: { kind: 'bulk', categoryKey: 'news' } },
  });
  const sendKey = buildApiKey({ organizationId: organization.id, perMinuteCap: 1_000 });
  const manageKey = buildApiKey({ organizationId: organization.id, scopes: [...scopes] });
  await putOrganization(table, organization);
  await putApiKey(table, sendKey.apiKey);
  await putApiKey(table, manageKey.apiKey);
  await putCategory(table, organization.id, { key: 'news', name: 'News' });

  const call = createCaller(gateway.url, manageKey.text);
  const newWebhook = async (status: number): Promise<WebhookId> => {
    const body = { url: `${receiver.url}/${status}` };
    return webhookIdSchema.parse(idOf(await call('POST', '/api/v1/webhooks', { body })));
  };
  /** Sends to somebody new with the capped key. */
  const send = (fields: object = {}, headers: Headers = {}, path = '/api/v1/emails/send') =>
    call('POST', path, {
      key: sendKey.text,
      headers,
      body: { to: newAddress(), subject: 'Hi', content: 'Hi', htmlContent: html, ...fields },
    });
  const newMail = async () => {
    const to = newAddress();
    const sent = sentShape.parse(await send({ to, policyKey: 'newsletter' }));
    return { ...sent, to, ...linksOf(aws.ses.requests.at(-1)?.body) };
  };
  const invoke = async (functionName: FunctionName, event: unknown): Promise<unknown> => {
    const outcome = await invokeFunction(loadHandler, functionName, event);
    if (outcome.kind === 'returned') return outcome.result;
    const cause = outcome.kind === 'threw' ? outcome.error : undefined;
    throw new Error(`${functionName} ${outcome.kind}`, { cause });
  };
  return {
    aws,
    baseUrl: gateway.url,
    /** Answers the status that its path names. */
    receiverUrl: receiver.url,
    keys: [sendKey.text, manageKey.text],
    table,
    organizationId: organization.id,
    call,
    send,
    newWebhook,
    newMail,
    invoke,
    receiveProviderEvent,
    /** The endpoint that wants every event, so that each is stored with its delivery. */
    listener: await newWebhook(204),
    newTemplate: async (fields: Readonly<Record<string, unknown>> = {}): Promise<string> => {
      const words = { subject: 'Hi', htmlContent: '<p>Hi</p>', content: 'Hi' };
      const body = { name: newName(), ...words, ...fields };
      return idOf(await call('POST', '/api/v1/templates', { body }));
    },
    /** Lets the next request with a key note its use, as the first of an hour does. */
    forgetKeyUses: () =>
      Promise.all(
        [sendKey, manageKey].map(({ apiKey }) =>
          table.client.send(
            new UpdateCommand({
              TableName: table.name,
              Key: apiKeyKey(apiKey.id),
              UpdateExpression: 'REMOVE lastUsedAt',
            }),
          ),
        ),
      ),
    /** A key that may manage the organization, beside the one that manages it. */
    newKey: async (): Promise<string> => {
      const body = { name: newName(), scopes: ['manage_organization'] };
      return idOf(await call('POST', '/api/v1/api-keys', { body }));
    },
    /** A mail whose process died between its commit and the contact. */
    newMailWithoutContact: () => {
      aws.dynamodb.inject({
        operation: 'UpdateItem',
        matches: (body) => JSON.stringify(body).includes('"CONTACT"'),
        action: answerInstead(dynamodbError('ResourceNotFoundException')),
      });
      return newMail();
    },
    /** A delivery to that endpoint which nobody has attempted, and which is due since long. */
    newDelivery: async (webhookId: WebhookId): Promise<DeliveryReference> => {
      const { sendId } = await newMail();
      const event = buildEmailEvent({ key: newName() });
      const owner = { parent: feedbackIdOf(sendId), expiresAt: farExpiry };
      const endpoints = { [webhookId]: { eventTypes: [] } };
      const [delivery] = deliveriesOf(event, owner, endpoints, event.at);
      if (delivery === undefined) throw new Error('The event has no delivery');
      await transactWrite(table, putDeliveries([delivery]));
      return { id: delivery.id, webhookId };
    },
    /** What the queue's message makes happen. */
    attempt: (delivery: DeliveryReference) =>
      invoke('deliver-webhooks', { Records: [{ messageId: '1', body: JSON.stringify(delivery) }] }),
  };
}

let names = 0;

/** A name that nothing else in this process has. */
export function newName(): string {
  names += 1;
  return `name-${names}`;
}

export const newAddress = (): string => `${newName()}@example.com`;

/** A webhook receiver that answers the status its path names. */
const startReceiver = () =>
  listen(
    createServer((request, response) => {
      request.resume();
      response.writeHead(Number(request.url?.slice(1))).end();
    }),
    0,
  );

type Headers = Readonly<Record<string, string>>;
type Call = {
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Headers;
  /** `null` for none; by default a key that may do everything. */
  readonly key?: string | null;
};

/** Calls the API; throws at an answer that is an error. */
const createCaller =
  (baseUrl: string, manageKey: string) =>
  async (
    method: string,
    path: string,
    { body, headers, key = manageKey }: Call = {},
  ): Promise<unknown> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return isJson ? JSON.parse(text) : text;
  };

const withId = z.object({ id: z.string() });
const idOf = (answer: unknown): string => withId.parse(answer).id;

const html = '<p><a href="https://example.com/">Read</a></p>';
export const sentShape = z.object({ sendId: sendIdSchema, messageId: z.string() });

const mailShape = z.object({
  Content: z.object({
    Simple: z.object({
      Body: z.object({ Html: z.object({ Data: z.string() }) }),
      Headers: z.array(z.object({ Name: z.string(), Value: z.string() })),
    }),
  }),
});

/** The paths that a mail's links lead to. */
export function linksOf(sendEmailRequest: unknown) {
  const { Body, Headers } = mailShape.parse(sendEmailRequest).Content.Simple;
  const text = `${Body.Html.Data} ${Headers.map(({ Value }) => Value).join(' ')}`;
  const find = (link: RegExp): string => {
    const [found] = link.exec(text) ?? [];
    if (found === undefined) throw new Error(`The mail has no link ${link}`);
    return found;
  };
  const preferences = find(/\/preferences\?token=[\w.-]+/);
  return {
    click: find(/\/t\/c\/[\w.-]+/),
    open: find(/\/t\/o\/[\w.-]+/),
    unsubscribe: find(/\/api\/unsubscribe\?token=[\w.-]+/),
    preferences,
    preferencesToken: preferences.slice(preferences.indexOf('=') + 1),
  };
}

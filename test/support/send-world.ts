import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { ApiKey } from '#shared/access/api-key';
import { apiKeyItemOf, putApiKey } from '#shared/access/api-key-store';
import { newRequestContext } from '#shared/access/request-context';
import { newAuditEntry } from '#shared/audit/audit-entry';
import type { Contact } from '#shared/contacts/contact';
import type { CallDeadline, OutgoingEmail, ProviderOutcome } from '#shared/email/email-provider';
import { createRefusals } from '#shared/email/refusals';
import { changeOrganization } from '#shared/organizations/change-organization';
import type { Organization } from '#shared/organizations/organization';
import { putOrganization } from '#shared/organizations/organization-store';
import { parseSendRequest } from '#shared/sending/request/send-request';
import type { Send, SendEndpoint } from '#shared/sending/send';
import { toSend, toSendItem } from '#shared/sending/send-items';
import { sendOnce } from '#shared/sending/send-once';
import { noAttachments, type Sending, type SendSettings } from '#shared/sending/sending';
import { contactKey } from '#shared/table/keys';
import { sendSortKey } from '#shared/table/send-keys';
import type { StoredItem, Table } from '#shared/table/table-client';
import type { Template } from '#shared/templates/template';
import { createTemplate, deleteTemplate } from '#shared/templates/template-store';
import { contactIdOf, newTemplateId } from '#shared/tokens/resource-id';
import type { DeliveryReference } from '#shared/webhook-deliveries/delivery';
import { toDelivery } from '#shared/webhook-deliveries/delivery-store';
import { nameOfCall } from '../schedules/call-names.ts';
import { buildApiKey } from './api-key-builder.ts';
import { buildKeyring } from './keyring-builder.ts';
import { openMemoryTable } from './memory-table/memory-table.ts';
import { buildOrganization } from './organization-builder.ts';
import { recordLog } from './recorded-log.ts';
import { buildSendBody } from './send-body-builder.ts';
import { leaseMs } from './send-builder.ts';
import { serviceErrorOf } from './service-error.ts';
import { buildTemplate } from './template-builder.ts';

export const startOfWorld = 1_750_000_000_000;

type World = {
  readonly organization?: Partial<Organization>;
  readonly key?: Parameters<typeof buildApiKey>[0];
  /** Ann is one unless told otherwise, so a plain send makes no contact. */
  readonly contacts?: readonly Partial<Contact & { email: string }>[];
  readonly settings?: Partial<SendSettings>;
  readonly attachments?: Partial<Sending['attachments']>;
};

export type Ask = {
  readonly endpoint?: SendEndpoint;
  readonly idempotencyKey?: string;
  /** Without the fields that are `undefined`. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Default: the world's key. */
  readonly credential?: string | undefined;
};

/** What sending uses, on a table: an SES that accepts, empty buckets, queues that take anything. */
export function sendingOn(table: Table, overrides: Partial<Sending> = {}): Sending {
  const keyring = buildKeyring();
  const accept = async () => ({ kind: 'accepted', providerMessageId: 'message-1' }) as const;
  return {
    table,
    now: () => startOfWorld,
    limitsOfDeployment: {},
    settings: {
      ...{ baseUrl: 'https://mail-service.example.com', linkDomains: [], usesTenants: false },
      ...{ leaseMs, sendRetentionDays: 90, patienceMs: 3_600_000 },
    },
    keyring: async () => keyring,
    email: { send: accept, sendTest: accept, refusals: createRefusals() },
    attachments: {
      ...noAttachments,
      attachmentLimits: { maxCount: 5, maxTotalBytes: 10 * 1024 * 1024 },
      checkEntitlement: async ({ attachmentsEnabled }) => ({ allowed: attachmentsEnabled }),
    },
    contents: { put: async () => {}, remove: async () => {} },
    keptContents: { put: async () => {} },
    wakeWebhooks: async () => {},
    wakeSenders: async () => {},
    ...overrides,
  };
}

/** A table in memory with an organization that may send, an SES whose answer the test decides, and a clock. */
export async function openSendWorld(given: World = {}) {
  const organization = buildOrganization(given.organization);
  const { text, apiKey } = buildApiKey({
    organizationId: organization.id,
    lastUsedAt: startOfWorld,
    ...given.key,
  });
  const { log, lines } = recordLog();
  const mailbox: (OutgoingEmail & CallDeadline)[] = [];
  const woken: DeliveryReference[] = [];
  const calls: string[] = [];
  const world = {
    organization,
    now: startOfWorld,
    /** What SES answers, and what else happens while it's asked. */
    ses: (): ProviderOutcome | Promise<ProviderOutcome> => ({
      kind: 'accepted',
      providerMessageId: `message-${world.mailbox.length}`,
    }),
    mailbox,
    woken,
    calls,
    lines,
    /** Of the last request. */
    context: newRequestContext(log),
    /** Runs before a call of the table, which fails if this throws. */
    disturb: async (_call: string): Promise<void> => {},
  };
  const memory = openMemoryTable({
    intercept: async (call, run) => {
      world.calls.push(nameOfCall(call));
      await world.disturb(nameOfCall(call));
      return run();
    },
  });
  const { table } = memory;
  const put = (Item: StoredItem) =>
    table.client.send(new PutCommand({ TableName: table.name, Item }));
  await putOrganization(table, organization);
  await putApiKey(table, apiKey);
  for (const contact of given.contacts ?? [{}]) await putContact(contact);
  world.calls.length = 0;

  async function putContact({
    email = 'ann@example.com',
    ...rest
  }: Partial<Contact & { email: string }>) {
    const id = contactIdOf(organization.id, email);
    const times = { createdAt: 1, updatedAt: 1 };
    await put({ ...contactKey(id), id, email, subscriptions: {}, ...times, ...rest });
  }
  const entryOf = ({ id }: Template, action: string) =>
    newAuditEntry(organization.id, 'operator', { action, target: id }, world.now);

  const hand = async (email: OutgoingEmail, deadline: CallDeadline) => {
    world.calls.push('SES');
    world.mailbox.push({ ...email, ...deadline });
    return world.ses();
  };
  const sending = sendingOn(table, {
    now: () => world.now,
    email: { send: hand, sendTest: hand, refusals: createRefusals() },
    wakeWebhooks: async (rows) => {
      woken.push(...rows);
    },
  });
  Object.assign(sending.settings, given.settings);
  Object.assign(sending.attachments, given.attachments);
  const itemsOf = (kind: string) =>
    memory.items().filter(({ sk }) => typeof sk === 'string' && sk.split('#')[0] === kind);

  return Object.assign(world, {
    sending,
    credential: text,
    apiKeyId: apiKey.id,
    putContact,
    /** Writes a send as it may become. */
    putSend: (send: Send) => put(toSendItem(send)),
    /** Whatever the key may become. */
    changeKey: (changes: Partial<ApiKey>) => put(apiKeyItemOf({ ...apiKey, ...changes })),
    /** The operator changes the organization. */
    change: (changes: Partial<Organization>) =>
      changeOrganization(
        organization.id,
        'operator',
        (before) => ({ ...before, ...changes }),
        sending,
      ),
    putTemplate: async (parts: Partial<Template> = {}) => {
      const template = buildTemplate({ id: newTemplateId(organization.id), ...parts });
      await createTemplate(table, template, entryOf(template, 'template.created'));
      return template;
    },
    deleteTemplate: (template: Template) =>
      deleteTemplate(table, template, entryOf(template, 'template.deleted')),
    send: ({ endpoint = 'send', idempotencyKey, body, ...asked }: Ask = {}) => {
      const credential = 'credential' in asked ? asked.credential : text;
      const context = newRequestContext(log);
      world.context = context;
      const received: unknown = JSON.parse(JSON.stringify(buildSendBody(body)));
      const request = parseSendRequest(received, idempotencyKey);
      const command = { endpoint, credential, request, body: received, context };
      return sendOnce(command, sending);
    },
    /** The one send that is stored. */
    stored: (): Send => {
      const [item, ...others] = itemsOf(sendSortKey);
      if (item === undefined || others.length > 0) throw new Error('not one send is stored');
      return toSend(item);
    },
    sends: () => itemsOf(sendSortKey).map(toSend),
    deliveries: () => itemsOf('DELIVERY').map(toDelivery),
    contacts: () => itemsOf('CONTACT').map(({ email }) => email),
  });
}

export type SendWorld = Awaited<ReturnType<typeof openSendWorld>>;

/** SES takes so long to answer. */
export function answerAfter(world: SendWorld, ms: number, outcome: ProviderOutcome): void {
  world.ses = () => {
    world.now += ms;
    return outcome;
  };
}

export function failOn(world: SendWorld, call: string): void {
  world.disturb = async (name) => {
    if (name === call) throw new Error('ann@example.com');
  };
}

/** A send of an attempt whose outcome nobody knows. */
export async function sendInDoubt(world: SendWorld, idempotencyKey: string): Promise<Send> {
  world.ses = () => ({ kind: 'unknown', cause: new Error('socket hang up') });
  await serviceErrorOf(() => world.send({ idempotencyKey }));
  return world.stored();
}

import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { Organization } from '#shared/organizations/organization';
import { putOrganization } from '#shared/organizations/organization-store';
import { anonymiseSend } from '#shared/send-history/send-erasure-store';
import { getTimeline } from '#shared/send-history/timeline-store';
import type { Send } from '#shared/sending/send';
import { commitAcceptance } from '#shared/sending/send-store';
import { organizationKey } from '#shared/table/keys';
import { sendKey } from '#shared/table/send-keys';
import { newWebhookId, slotIdIn } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { buildClaim, claimNow, storeSend } from './claim-builder.ts';
import { noContentErasure } from './memory-contents.ts';
import { openMemoryTable } from './memory-table/memory-table.ts';
import type { TableCall } from './memory-table/table-call.ts';
import { buildOrganization } from './organization-builder.ts';

export type EmailGiven = Partial<Send> & {
  readonly organization?: Partial<Organization>;
  /** The event types of each endpoint. One without any is for all. */
  readonly webhooks?: readonly string[][];
  /** Whether its request has committed it. */
  readonly isSettled?: boolean;
};

/** Of the table. */
type Behaviour = {
  fails: (call: TableCall) => boolean;
  /** Of eventually consistent reads. */
  isStale: boolean;
  /** Another process that comes first. */
  beforeNextWrite: (() => Promise<unknown>) | undefined;
};

export const isWrite = ({ operation }: TableCall) => !/^(BatchGet|Get|Query)/.test(operation);

/** When the message of the email was accepted. */
export const acceptedAt = claimNow + 500;
/** When what happened to it is recorded. */
export const recordedAt = claimNow + 2_000;

/** An email to Ann on a table in memory: what records its events and hits, and what's stored of it. */
export async function openEmailWorld({
  organization: overrides,
  webhooks = [],
  isSettled = false,
  ...given
}: EmailGiven = {}) {
  const calls: TableCall[] = [];
  const behaviour: Behaviour = { fails: () => false, isStale: false, beforeNextWrite: undefined };
  const { table, items } = openMemoryTable({
    intercept: async (call, run) => {
      calls.push(call);
      if (behaviour.fails(call)) throw new Error('throttled');
      if (isWrite(call)) {
        const { beforeNextWrite } = behaviour;
        behaviour.beforeNextWrite = undefined;
        await beforeNextWrite?.();
      }
      return run();
    },
    isStale: () => behaviour.isStale,
  });
  const organization = organizationWith(webhooks, overrides);
  await putOrganization(table, organization);
  const claim = buildClaim({ organizationId: organization.id, ...given });
  await storeSend(table, claim);
  const commit = async (providerMessageId = 'message-1') => {
    const acceptance = { providerMessageId, at: acceptedAt };
    return (await commitAcceptance(table, claim, acceptance, [])).send;
  };
  const send = isSettled ? await commit() : claim;
  calls.length = 0;

  const woken: Delivery[] = [];
  const wakeQueue = async (deliveries: readonly { readonly id: Delivery['id'] }[]) => {
    woken.push(
      ...(await timeline()).deliveries.filter(({ id }) => deliveries.some((one) => one.id === id)),
    );
  };
  const timeline = async () => {
    const found = await getTimeline(table, send.id, recordedAt);
    if (found === undefined) throw new Error('The send is gone');
    return found;
  };
  const remove = (Key: object) =>
    table.client.send(new DeleteCommand({ TableName: table.name, Key: { ...Key } }));
  return {
    ...{ table, items, organization, send, calls, behaviour, woken, commit, timeline },
    recording: { table, now: () => recordedAt, sendRetentionDays: 90, wakeQueue },
    removeSend: () => remove(sendKey(slotIdIn(send.id))),
    removeOrganization: () => remove(organizationKey(organization.id)),
    eraseAnn: () =>
      anonymiseSend(
        table,
        noContentErasure,
        slotIdIn(send.id),
        { identity: 'ann@example.com', expires: false },
        recordedAt,
      ),
  };
}

export type EmailWorld = Awaited<ReturnType<typeof openEmailWorld>>;

function organizationWith(
  webhooks: readonly string[][],
  overrides: Partial<Organization> = {},
): Organization {
  const organization = buildOrganization(overrides);
  const endpoints = webhooks.map((eventTypes) => [newWebhookId(organization.id), { eventTypes }]);
  return { ...organization, webhooks: Object.fromEntries(endpoints) };
}

export const typesOf = (events: readonly { readonly type: string }[]): string[] =>
  events.map(({ type }) => type);

import type { EventRecording, SubscribedSend } from '#shared/sends/record-event';
import { buildOrganization } from './organization-builder.ts';
import { unexpected } from './unexpected.ts';

/** One call of a member, for example `suppressions.suppress`, with its arguments. */
export type IntakeEffect = readonly [name: string, ...args: readonly unknown[]];

/** Functions of the stores to be used instead. */
export type IntakeOverrides = {
  readonly [Store in Exclude<keyof EventRecording, 'now' | 'eraseFromReport'>]?: Partial<
    EventRecording[Store]
  >;
};

export const intakeNow = 1_750_000_000_000;

/**
 * Fakes what recording a provider's event uses: a table of one send, which is found by its feedback id
 * and as `message-1`, and which an acceptance settles unless it has that message. `effects` lists the
 * writes in their order.
 */
export function fakeEventRecording(
  { send, subscriptions }: SubscribedSend,
  overrides: IntakeOverrides = {},
): { readonly intake: EventRecording; readonly effects: readonly IntakeEffect[] } {
  const effects: IntakeEffect[] = [];
  const recorded =
    <Args extends readonly unknown[], Result>(name: string, run: (...args: Args) => Result) =>
    (...args: Args): Result => {
      effects.push([name, ...args]);
      return run(...args);
    };
  const settlements: EventRecording['settlements'] = {
    commitAcceptance: async (existing, { providerMessageId, at }) =>
      existing.providerMessageId === providerMessageId
        ? { kind: 'known', send: existing }
        : {
            kind: 'settled',
            send: { ...existing, status: 'sent', providerMessageId, sentAt: at },
          },
    recordFailure: unexpected('settlements.recordFailure'),
    recordRejection: async () => true,
    recordProof: async () => {},
    ...overrides.settlements,
  };
  const contacts: EventRecording['contacts'] = {
    ensure: unexpected('contacts.ensure'),
    findMissing: async (_id, identities) => identities,
    ensureMissing: async () => {},
    get: unexpected('contacts.get'),
    findIds: unexpected('contacts.findIds'),
    erase: unexpected('contacts.erase'),
    ...overrides.contacts,
  };
  const suppressions: EventRecording['suppressions'] = {
    suppress: async () => 'suppressed',
    unsubscribe: unexpected('suppressions.unsubscribe'),
    lift: unexpected('suppressions.lift'),
    suppressKnown: async () => 'suppressed',
    ...overrides.suppressions,
  };
  const heard: EventRecording['heard'] = {
    record: async () => {},
    markFirst: unexpected('heard.markFirst'),
    countOpen: unexpected('heard.countOpen'),
    countOpenNews: unexpected('heard.countOpenNews'),
    ...overrides.heard,
  };
  const deliveries: EventRecording['deliveries'] = {
    store: async (rows) => [...rows],
    putNew: unexpected('deliveries.putNew'),
    get: unexpected('deliveries.get'),
    ...overrides.deliveries,
  };
  const intake: EventRecording = {
    now: () => intakeNow,
    sendRetentionDays: 90,
    eraseFromReport: async () => {},
    timelines: {
      read: unexpected('timelines.read'),
      getWithOrganization: async (feedbackId) => ({
        send: feedbackId === send.feedbackId ? send : undefined,
        organization: buildOrganization({ webhooks: subscriptions }),
      }),
      getSend: async (feedbackId) => (feedbackId === send.feedbackId ? send : undefined),
      ...overrides.timelines,
    },
    names: {
      byId: unexpected('names.byId'),
      byMessage: unexpected('names.byMessage'),
      byIdempotencyKey: unexpected('names.byIdempotencyKey'),
      byMessageOf: async (_domain, providerMessageId) =>
        providerMessageId === 'message-1' ? send : undefined,
      ...overrides.names,
    },
    settlements: {
      ...settlements,
      commitAcceptance: recorded('commitAcceptance', settlements.commitAcceptance),
      recordRejection: recorded('recordRejection', settlements.recordRejection),
      recordProof: recorded('recordProof', settlements.recordProof),
    },
    contacts: { ...contacts, ensureMissing: recorded('ensureMissing', contacts.ensureMissing) },
    suppressions: {
      ...suppressions,
      suppress: recorded('suppress', suppressions.suppress),
      suppressKnown: recorded('suppressKnown', suppressions.suppressKnown),
    },
    heard: { ...heard, record: recorded('record', heard.record) },
    deliveries: { ...deliveries, store: recorded('store', deliveries.store) },
  };
  return { intake, effects };
}

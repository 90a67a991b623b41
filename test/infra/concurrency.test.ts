import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  firstAttemptBatches,
  senderBatches,
  sendRateShare,
  unreservable,
} from '../../infra/constructs/concurrency.ts';
import { functionCatalogue } from '../../infra/constructs/function-catalogue.ts';
import {
  createStack,
  functionPath,
  resourceAt,
  resourcesOfType,
  synthesiseStack,
  synthesiseWithSettings,
} from './synthesised-stack.ts';

const inNewAccount = synthesiseStack();
const inGrownAccount = synthesiseWithSettings();

/** What each function has for itself, by its path. */
function reservationsIn(stack: typeof inNewAccount): Record<string, unknown> {
  const reserved = resourcesOfType(stack, 'AWS::Lambda::Function').flatMap(
    ({ path, Properties }) =>
      'ReservedConcurrentExecutions' in Properties
        ? [[path, Properties['ReservedConcurrentExecutions']] as const]
        : [],
  );
  return Object.fromEntries(reserved);
}

const inGrownAccountRefused = (reservations: object) =>
  unreservable(functionCatalogue, { lambdaConcurrency: 1_000, ...reservations });

function batchesAtATime(stack: typeof inNewAccount): unknown {
  return resourceAt(stack, 'WebhookDelivery/FirstAttempts').Properties['ScalingConfig'];
}

describe('first attempts at webhooks', () => {
  it('take two of the ten executions that a new account has', () => {
    expect(batchesAtATime(inNewAccount)).toEqual({ MaximumConcurrency: 2 });
  });

  it("take a twentieth of the account's concurrency", () => {
    expect(batchesAtATime(inGrownAccount)).toEqual({ MaximumConcurrency: 50 });
  });

  it('plus two scheduled runs leave more than half of any concurrency to sends', () => {
    const limits = fc.integer({ min: 10, max: 1_000_000 });

    fc.assert(
      fc.property(limits, (lambdaConcurrency) => {
        const batches = firstAttemptBatches({ lambdaConcurrency });

        expect(batches + 2).toBeLessThan(lambdaConcurrency / 2);
        expect(batches).toBeGreaterThanOrEqual(2);
        expect(batches).toBeLessThanOrEqual(1_000);
      }),
    );
  });
});

describe('workers of queued emails', () => {
  const anyPace = fc.record({
    lambdaConcurrency: fc.integer({ min: 10, max: 1_000_000 }),
    queuedSendsPerSecond: fc.option(fc.integer({ min: 1, max: 1_000 }), { nil: undefined }),
  });

  it('share the whole rate with the scheduled run, and leave executions to others', () => {
    fc.assert(
      fc.property(anyPace, ({ lambdaConcurrency, queuedSendsPerSecond }) => {
        const pace = {
          lambdaConcurrency,
          ...(queuedSendsPerSecond !== undefined && { queuedSendsPerSecond }),
        };

        const batches = senderBatches(pace);

        expect((batches + 1) * sendRateShare(pace)).toBeCloseTo(1);
        expect(batches).toBeGreaterThanOrEqual(2);
        expect(batches).toBeLessThanOrEqual(Math.max(2, lambdaConcurrency / 5));
      }),
    );
  });

  it('are two by default', () => {
    expect(senderBatches({ lambdaConcurrency: 1_000 })).toBe(2);
    expect(senderBatches({ lambdaConcurrency: 1_000, queuedSendsPerSecond: 200 })).toBe(8);
  });
});

describe('reserved concurrency', () => {
  it('is off for every function by default, as a new account has nothing to reserve', () => {
    expect(reservationsIn(inNewAccount)).toEqual({});
  });

  it('applies to each function of the groups that the deployment names', () => {
    const links = ['get-preferences', 'update-preferences', 'show-unsubscribe', 'unsubscribe'];
    links.push('show-preferences', 'save-preferences', 'track-click', 'track-open');
    links.push('show-notice-confirmation', 'confirm-notice-email');
    const reservedFor = (names: readonly string[], reserved: number) =>
      names.map((name) => [functionPath(name, 'Lambda'), reserved] as const);
    expect(reservationsIn(inGrownAccount)).toEqual(
      Object.fromEntries([
        ...reservedFor(['send-email', 'send-global-email', 'send-email-batch'], 100),
        ...reservedFor(['record-provider-event'], 40),
        ...reservedFor(['deliver-webhooks'], 50),
        ...reservedFor(links, 20),
      ]),
    );
  });

  it('leaves the 100 executions that Lambda keeps unreserved', () => {
    expect(inGrownAccountRefused({ reservedForSending: 300 })).toBeUndefined();
    expect(inGrownAccountRefused({ reservedForSending: 301 })).toMatch(
      /reserve 903 in total.+ 900 .+ 1000 /,
    );
  });

  it('is rejected in a new account before anything is deployed', () => {
    const reserve = () => createStack({ reservedForEvents: '1' });

    expect(reserve).toThrow(/reserve 1 in total.+ 0 .+ 10 /);
  });

  it("for webhooks is no less than their queue's concurrent invocations", () => {
    expect(inGrownAccountRefused({ reservedForWebhooks: 49 })).toMatch(
      /reservedForWebhooks \(49\) must be at least 50/,
    );
    expect(inGrownAccountRefused({ reservedForWebhooks: 50 })).toBeUndefined();
  });
});

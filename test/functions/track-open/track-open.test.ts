import { describe, expect, it } from 'vitest';
import { feedbackIdOf, newOrganizationId } from '#shared/tokens/resource-id';
import { signClickToken, signOpenToken } from '#shared/tracking/tracking-token';
import type { Visit } from '#shared/tracking/visit';
import { trackOpen } from '../../../functions/track-open/track-open.ts';
import { buildKeyring } from '../../support/keyring-builder.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { newSendId } from '../../support/send-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildVisit } from '../../support/visit-builder.ts';

const now = 1_750_000_000_000;
const keyring = buildKeyring();
const feedbackId = feedbackIdOf(newSendId(newOrganizationId()));
const token = signOpenToken(keyring, feedbackId);

function visit(overrides: Partial<Visit>, record: () => Promise<void> = async () => {}) {
  const recorded: unknown[] = [];
  const run = () =>
    trackOpen(buildVisit({ token, ...overrides }), {
      now: () => now,
      keyring: async () => keyring,
      recordOpen: (...args) => {
        recorded.push(args);
        return record();
      },
    });
  return { run, recorded };
}

describe('trackOpen', () => {
  it('records the open of a person', async () => {
    const { run, recorded } = visit({});

    await run();

    expect(recorded).toEqual([[feedbackId, { at: now, isMachine: false }]]);
  });

  it('records the open of a machine as such', async () => {
    const { run, recorded } = visit({ headers: { 'user-agent': 'Mozilla/5.0' } });

    await run();

    expect(recorded).toEqual([[feedbackId, { at: now, isMachine: true }]]);
  });

  it('answers though the open cannot be recorded', async () => {
    const { log, lines } = recordLog();
    const { run } = visit({ log }, () => Promise.reject(new Error('throttled')));

    await expect(run()).resolves.toBeUndefined();
    expect(lines).toMatchObject([{ level: 'error', message: 'visit not recorded' }]);
  });

  it.each([
    ['empty', ''],
    ['signed by another key', signOpenToken(buildKeyring(), feedbackId)],
    ['of a link', signClickToken(keyring, feedbackId, 'https://example.com/')],
  ])('knows no pixel for a token that is %s', async (_what, forged) => {
    const { run, recorded } = visit({ token: forged });

    expect((await serviceErrorOf(run)).code).toBe('link_not_found');
    expect(recorded).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { feedbackIdOf, newOrganizationId } from '#shared/tokens/resource-id';
import { signClickToken, signOpenToken } from '#shared/tracking/tracking-token';
import type { Visit } from '#shared/tracking/visit';
import { trackClick } from '../../../functions/track-click/track-click.ts';
import { buildKeyring } from '../../support/keyring-builder.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { newSendId } from '../../support/send-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildVisit } from '../../support/visit-builder.ts';

const now = 1_750_000_000_000;
const keyring = buildKeyring();
const feedbackId = feedbackIdOf(newSendId(newOrganizationId()));
const destination = 'https://shop.example.com/order?id=1';
const token = signClickToken(keyring, feedbackId, destination);

function visit(overrides: Partial<Visit>, record: () => Promise<void> = async () => {}) {
  const recorded: unknown[] = [];
  const run = () =>
    trackClick(buildVisit({ token, ...overrides }), {
      now: () => now,
      keyring: async () => keyring,
      recordClick: (...args) => {
        recorded.push(args);
        return record();
      },
    });
  return { run, recorded };
}

describe('trackClick', () => {
  it('leads to the destination and records the click', async () => {
    const { run, recorded } = visit({});

    expect(await run()).toBe(destination);
    expect(recorded).toEqual([
      [
        { feedbackId, destination },
        { at: now, isMachine: false },
      ],
    ]);
  });

  it('leads to the destination though the click cannot be recorded', async () => {
    const { log, lines } = recordLog();
    const { run } = visit({ log }, () => Promise.reject(new Error('throttled')));

    expect(await run()).toBe(destination);
    expect(lines).toMatchObject([{ level: 'error', message: 'visit not recorded' }]);
  });

  it('marks the click of a machine', async () => {
    const { run, recorded } = visit({ headers: {} });

    await run();

    expect(recorded).toMatchObject([[{}, { isMachine: true }]]);
  });

  it('does not count a HEAD request, which only asks where the link leads', async () => {
    const { run, recorded } = visit({ method: 'HEAD' });

    expect(await run()).toBe(destination);
    expect(recorded).toEqual([]);
  });

  it.each([
    ['empty', ''],
    ['altered', `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
    ['signed by another key', signClickToken(buildKeyring(), feedbackId, destination)],
    ['of an open pixel', signOpenToken(keyring, feedbackId)],
    ['an address', 'https://evil.example.com/'],
  ])('leads nowhere by a token that is %s, and records nothing', async (_what, forged) => {
    const { run, recorded } = visit({ token: forged });

    expect((await serviceErrorOf(run)).code).toBe('link_not_found');
    expect(recorded).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { readTargets } from '#shared/notice-targets/notice-target-store';
import { resourceKey } from '#shared/organizations/organization-fields';
import {
  endpoint,
  putNoticeTarget,
} from '../../../functions/put-notice-target/put-notice-target.ts';
import { openAccount } from '../../support/account.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

async function openTargets() {
  const account = await openAccount();
  const doing = { ...account, alerts: { urlPolicy: { allowLoopbackHttp: false } } };
  const put = (key: string, body: unknown) =>
    putNoticeTarget(
      {
        caller: account.caller,
        path: { key: resourceKey.parse(key) },
        body: endpoint.body.parse(body),
      },
      doing,
    );
  return { ...account, put, read: () => readTargets(account.table, account.organization.id) };
}

const pagerDuty = (letter: string) => ({ type: 'pagerduty', routingKey: letter.repeat(32) });

describe('putNoticeTarget', () => {
  it('keeps at most five, and replaces one of them at any time', async () => {
    const { put, read } = await openTargets();
    for (const key of ['a', 'b', 'c', 'd', 'e']) await put(key, pagerDuty(key));

    const error = await serviceErrorOf(() => put('f', pagerDuty('f')));
    await put('e', { ...pagerDuty('x'), region: 'eu' });

    expect(error.code).toBe('too_many_notice_targets');
    const { targets } = await read();
    expect(Object.keys(targets)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(targets['e']).toMatchObject({ routingKey: 'x'.repeat(32), region: 'eu' });
    expect(targets['a']).toMatchObject({ region: 'us' });
  });

  it('takes no name that every object has', () => {
    expect(resourceKey.safeParse('constructor').success).toBe(false);
  });

  it('changes nothing, and writes no audit entry, for the same place', async () => {
    const { put, read, audit } = await openTargets();
    const first = await put('a', pagerDuty('a'));
    const stored = await read();

    expect(await put('a', pagerDuty('a'))).toEqual(first);

    expect(await read()).toEqual(stored);
    expect(await audit()).toHaveLength(1);
  });

  it('says in the audit where it leads, and not its secret', async () => {
    const { put, audit } = await openTargets();

    await put('team', { type: 'slack', url: 'https://hooks.slack.com/services/T0/B0/secret9876' });

    const entries = await audit();
    expect(entries).toMatchObject([
      {
        action: 'notice_target.put',
        target: 'team',
        after: { type: 'slack', host: 'hooks.slack.com', endsWith: '9876' },
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain('secret');
  });
});

import { describe, expect, it } from 'vitest';
import { requireSecret } from '#shared/http/shared-secret';
import { serviceErrorOf } from '../../support/service-error.ts';

const secrets = [
  ['cron', 'invalid_cron_secret', 'X-Cron-Secret'],
  ['operator', 'invalid_operator_secret', 'X-Operator-Secret'],
] as const;

describe.each(secrets)('the %s secret', (name, code, header) => {
  it('admits who presents it', () => {
    expect(() => requireSecret(name, 's3cret', 's3cret')).not.toThrow();
  });

  it.each([
    ['no header', undefined, 's3cret'],
    ['an empty header', '', 's3cret'],
    ['another secret', 's3creT', 's3cret'],
    ['the beginning of it', 's3cre', 's3cret'],
    ['an empty header where none is configured', '', ''],
    ['no header where none is configured', undefined, ''],
  ])('refuses %s, and names the header', async (_what, presented, configured) => {
    const error = await serviceErrorOf(() => requireSecret(name, presented, configured));

    expect(error.code).toBe(code);
    expect(error.message).toContain(header);
    expect(error.message).not.toContain('s3cre');
  });
});

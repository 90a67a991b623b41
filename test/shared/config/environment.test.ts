import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseEnvironment, sendingEnvironment } from '#shared/config/environment';
import { sendingVariables } from '../../support/sending-variables.ts';

const stubEnvironment = (variables: Record<string, string | undefined>) => {
  const unset = Object.keys(sendingEnvironment.shape).map((name) => [name, undefined] as const);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  for (const [name, value] of [...unset, ...Object.entries(variables)]) vi.stubEnv(name, value);
};

describe('parseEnvironment', () => {
  it('fills in the defaults', () => {
    stubEnvironment(sendingVariables);

    expect(parseEnvironment(sendingEnvironment)).toEqual({
      ...sendingVariables,
      SEND_PATIENCE_SECONDS: 3_600,
      WEBHOOK_ALLOW_LOOPBACK_HTTP: false,
      ATTACHMENTS_MAX_COUNT: 5,
      ATTACHMENTS_MAX_TOTAL_MB: 10,
      DOUBT_WINDOW_SECONDS: 300,
      LINK_DOMAINS: [],
      PROVIDER_CALL_TIMEOUT_MS: 8_000,
      PROVIDER_RETRY_BUDGET_MS: 2_000,
      SEND_RETENTION_DAYS: 90,
      SLOW_FETCHES_AT_ONCE: 2,
      SES_TENANTS: false,
    });
  });

  it('reads numbers', () => {
    stubEnvironment({ ...sendingVariables, DOUBT_WINDOW_SECONDS: '60' });

    expect(parseEnvironment(sendingEnvironment).DOUBT_WINDOW_SECONDS).toBe(60);
  });

  it('reads hosts, none from an empty text', () => {
    stubEnvironment({ ...sendingVariables, LINK_DOMAINS: 'links.example.com,mail.example.com' });
    const some = parseEnvironment(sendingEnvironment);
    vi.stubEnv('LINK_DOMAINS', '');
    const none = parseEnvironment(sendingEnvironment);

    expect(some.LINK_DOMAINS).toEqual(['links.example.com', 'mail.example.com']);
    expect(none.LINK_DOMAINS).toEqual([]);
  });

  it.each(['https://mail-service.example.com/', 'https://mail-service.example.com//'])(
    'takes the slash off the end of the base address %s',
    (url) => {
      stubEnvironment({ ...sendingVariables, PUBLIC_BASE_URL: url });

      expect(parseEnvironment(sendingEnvironment).PUBLIC_BASE_URL).toBe(
        'https://mail-service.example.com',
      );
    },
  );

  it('names each missing or malformed variable and no value', () => {
    stubEnvironment({
      ...sendingVariables,
      CONFIGURATION_SET_NAME: undefined,
      DOUBT_WINDOW_SECONDS: 'hunter2',
    });

    expect(() => parseEnvironment(sendingEnvironment)).toThrow(
      'Missing or malformed environment variables: CONFIGURATION_SET_NAME, DOUBT_WINDOW_SECONDS',
    );
  });

  it.each(['0', '-1', '1.5', ''])('refuses to keep sends for %j days', (days) => {
    stubEnvironment({ ...sendingVariables, SEND_RETENTION_DAYS: days });

    expect(() => parseEnvironment(sendingEnvironment)).toThrow('SEND_RETENTION_DAYS');
  });
});

import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseEnvironment, sendingEnvironment } from '#shared/config/environment';

const stubEnvironment = (variables: Record<string, string | undefined>) => {
  const unset = Object.keys(sendingEnvironment.shape).map((name) => [name, undefined] as const);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  for (const [name, value] of [...unset, ...Object.entries(variables)]) vi.stubEnv(name, value);
};

describe('parseEnvironment', () => {
  it('fills in the defaults', () => {
    stubEnvironment({ TABLE_NAME: 'table', CONFIGURATION_SET_NAME: 'set' });

    expect(parseEnvironment(sendingEnvironment)).toEqual({
      TABLE_NAME: 'table',
      CONFIGURATION_SET_NAME: 'set',
      DOUBT_WINDOW_SECONDS: 300,
      IDEMPOTENCY_RETENTION_DAYS: 30,
      PROVIDER_CALL_TIMEOUT_MS: 8_000,
      PROVIDER_RETRY_BUDGET_MS: 8_000,
    });
  });

  it('reads numbers', () => {
    stubEnvironment({
      TABLE_NAME: 'table',
      CONFIGURATION_SET_NAME: 'set',
      DOUBT_WINDOW_SECONDS: '60',
    });

    expect(parseEnvironment(sendingEnvironment).DOUBT_WINDOW_SECONDS).toBe(60);
  });

  it('names each missing or malformed variable and no value', () => {
    stubEnvironment({ CONFIGURATION_SET_NAME: 'set', DOUBT_WINDOW_SECONDS: 'hunter2' });

    expect(() => parseEnvironment(sendingEnvironment)).toThrow(
      'Missing or malformed environment variables: TABLE_NAME, DOUBT_WINDOW_SECONDS',
    );
  });

  it.each(['0', '-1', '1.5', ''])('refuses to keep idempotency keys for %j days', (days) => {
    stubEnvironment({
      TABLE_NAME: 'table',
      CONFIGURATION_SET_NAME: 'set',
      IDEMPOTENCY_RETENTION_DAYS: days,
    });

    expect(() => parseEnvironment(sendingEnvironment)).toThrow('IDEMPOTENCY_RETENTION_DAYS');
  });
});

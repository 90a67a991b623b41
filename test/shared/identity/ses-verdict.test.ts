import { describe, expect, it } from 'vitest';
import { type DkimStatus, hasStopped, type SesDomain } from '#shared/domains/ses-domain';
import { verdictOf } from '#shared/identity/ses-verdict';

const found = (status: DkimStatus, errorType?: string): SesDomain => ({
  dkim: { status, tokens: [], hostedZone: 'dkim.example' },
  forwardsBounces: false,
  errorType,
});

describe("a domain whose SES status we don't know", () => {
  const unknown = found('UNKNOWN', 'DKIM Success');

  it('stays active, as nothing says that its records are gone', () => {
    expect(verdictOf(unknown, { status: 'active' })).toEqual({ status: 'active' });
  });

  it.each(['pending', 'failed'] as const)('waits when it is %s, and shows the status', (status) => {
    expect(verdictOf(unknown, { status })).toEqual({ status: 'pending', reason: 'DKIM Success' });
  });

  it("doesn't restart verification", () => {
    expect(hasStopped(unknown)).toBe(false);
  });
});

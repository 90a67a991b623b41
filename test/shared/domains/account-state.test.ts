import { describe, expect, it } from 'vitest';
import {
  problemsOf,
  productionAccessRequestFor,
  type SesAccount,
} from '#shared/domains/account-state';

const healthy: SesAccount = {
  region: 'eu-west-1',
  hasProductionAccess: true,
  isSendingEnabled: true,
  enforcementStatus: 'HEALTHY',
};

describe('problemsOf', () => {
  it('has none of an account that may send to everybody', () => {
    expect(problemsOf(healthy)).toEqual([]);
  });

  it.each([
    [{ hasProductionAccess: false }, ['sandbox']],
    [{ isSendingEnabled: false }, ['sending_disabled']],
    [{ enforcementStatus: 'PROBATION' }, ['under_review']],
    // What AWS has shut down is not turned on again by a command.
    [{ enforcementStatus: 'SHUTDOWN', isSendingEnabled: false }, ['shut_down']],
    [{ hasProductionAccess: false, isSendingEnabled: false }, ['sandbox', 'sending_disabled']],
  ])('of %o are %o', (state, codes) => {
    const problems = problemsOf({ ...healthy, ...state });

    expect(problems.map(({ code }) => code)).toEqual(codes);
  });

  it('names the Region that production access is for', () => {
    const [problem] = problemsOf({ ...healthy, hasProductionAccess: false });

    expect(problem?.wayOut).toContain('--region eu-west-1');
  });
});

describe('the draft of a request for production access', () => {
  it('names the domain, and leaves what only its sender knows in brackets', () => {
    const text = productionAccessRequestFor('mail.example.com');

    expect(text).toContain('mail.example.com');
    expect(text.match(/\[[^\]]+\]/g)).toHaveLength(5);
  });
});

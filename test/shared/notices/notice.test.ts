import { describe, expect, it } from 'vitest';
import { type NoticeContent, newNotice, sendKeyOf } from '#shared/notices/notice';
import { newOrganizationId } from '#shared/tokens/resource-id';

const organizationId = newOrganizationId();
const content: NoticeContent = { cause: 'identity_lost', about: 'a', subject: 's', text: 't' };
const noon = Date.UTC(2026, 10, 21, 12);

describe('the idempotency key of a notice', () => {
  const key = sendKeyOf(newNotice(organizationId, content, noon));

  it('is the same all day, whatever the notice says', () => {
    const later = newNotice(organizationId, { ...content, text: 'other' }, noon + 11 * 3_600_000);

    expect(sendKeyOf(later)).toBe(key);
  });

  it.each<[string, Partial<NoticeContent>, number]>([
    ['day', {}, noon + 12 * 3_600_000],
    ['cause', { cause: 'tenant_paused' }, noon],
    ['thing', { about: 'b' }, noon],
  ])('is another for another %s', (_what, other, now) => {
    expect(sendKeyOf(newNotice(organizationId, { ...content, ...other }, now))).not.toBe(key);
  });
});

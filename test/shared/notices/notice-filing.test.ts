import { describe, expect, it } from 'vitest';
import type { Notice } from '#shared/notices/notice';
import { createNoticeFiling } from '#shared/notices/notice-filing';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { captureOutput } from '../../support/captured-output.ts';
import { buildNotice, noticeNow } from '../../support/notice-builder.ts';

/** Files into a store that fails as often as told. */
function prepare(failures = 0) {
  const stored: Notice[] = [];
  let calls = 0;
  const { file } = createNoticeFiling({
    store: async (notice) => {
      calls += 1;
      if (calls <= failures) throw new Error('throttled');
      stored.push(notice);
    },
  });
  return { file, stored };
}

describe('filing a notice', () => {
  it('stores it once for its organization, cause and day', async () => {
    const { file, stored } = prepare();
    const id = newOrganizationId();
    const notice = buildNotice(id);
    const nextDay = buildNotice(id, {}, noticeNow + 86_400_000);
    const others = [buildNotice(), buildNotice(id, { about: 'other' }), nextDay];

    for (const one of [notice, notice, ...others]) await file(one);

    expect(stored).toEqual([notice, ...others]);
  });

  it('fails nobody: it counts what it could not store, and stores it at the next occasion', async () => {
    const { file, stored } = prepare(1);
    const output = captureOutput();
    const notice = buildNotice();

    await file(notice);
    const before = [...stored];
    await file(notice);

    expect(before).toEqual([]);
    expect(stored).toEqual([notice]);
    expect(output.text()).toContain('NoticeNotFiled');
  });
});

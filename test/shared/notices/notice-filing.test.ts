import { describe, expect, it } from 'vitest';
import { fileNotice } from '#shared/notices/notice-filing';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { captureOutput } from '../../support/captured-output.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { buildNotice, dueNoticesIn, noticeNow } from '../../support/notice-builder.ts';

/** A table that refuses as many writes as told, and counts those that come. */
function prepare(failures = 0) {
  let writes = 0;
  const { table } = openMemoryTable({
    intercept: async ({ operation }, run) => {
      if (operation !== 'PutItem') return run();
      writes += 1;
      if (writes <= failures) throw new Error('throttled');
      return run();
    },
  });
  return {
    file: (notice: Parameters<typeof fileNotice>[1]) => fileNotice(table, notice),
    stored: () => dueNoticesIn(table, noticeNow + 86_400_000),
    writes: () => writes,
  };
}

describe('fileNotice', () => {
  it('stores a notice once for its organization, cause and day', async () => {
    const { file, stored, writes } = prepare();
    const id = newOrganizationId();
    const notice = buildNotice(id);
    const nextDay = buildNotice(id, {}, noticeNow + 86_400_000);
    const others = [buildNotice(), buildNotice(id, { about: 'other' }), nextDay];

    for (const one of [notice, notice, ...others]) await file(one);

    expect(new Set(await stored())).toEqual(new Set([notice, ...others]));
    expect(writes()).toBe(4);
  });

  it("never throws: it counts a notice that couldn't be stored, and stores it next time", async () => {
    const { file, stored } = prepare(1);
    const output = captureOutput();
    const notice = buildNotice();

    await file(notice);
    const before = await stored();
    await file(notice);

    expect(before).toEqual([]);
    expect(await stored()).toEqual([notice]);
    expect(output.text()).toContain('NoticeNotFiled');
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, vi } from 'vitest';
import { useOrganizationAtWork } from '../support/organization-at-work.ts';
import {
  allItems,
  listedPaths,
  listShape,
  storySecrets,
  tellStory,
} from '../support/stored-story.ts';

/*
 * A version that stores a kind of item that no fixture has (`permissions.test.ts` says so) adds a file of its own:
 * FREEZE_ITEMS=items-1.1.0.jsonl npx vitest run --project dynamodb freeze-items
 */
const fixture = process.env['FREEZE_ITEMS'];

it.runIf(fixture)('writes the items that this version stores to a fixture', async () => {
  const service = await useOrganizationAtWork(...storySecrets);
  const start = performance.timeOrigin;
  let passed = 0;
  const clock = vi.spyOn(Date, 'now');
  clock.mockImplementation(() => Math.floor(start + performance.now()) + passed);
  const story = await tellStory(service, (ms) => {
    passed += ms;
  });
  const frozenAt = Date.now();
  const items = await allItems(service.table);
  const listed: Record<string, number> = {};
  for (const path of listedPaths(story)) {
    const answer = await service.call('GET', path, { key: story.keys.manage });
    listed[path] = listShape.parse(answer).data.length;
  }
  const lines = [{ frozenAt, ...story, listed }, ...items];
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  writeFileSync(join(import.meta.dirname, 'fixtures', fixture ?? ''), `${text}\n`);
});

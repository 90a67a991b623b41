import { describe, expect, it } from 'vitest';
import { fakeFetch, manage, twinFile } from '../../../support/manage-builder.ts';

const twin = { readCheckoutFile: () => twinFile };

const failing = (code: string) => () => {
  throw Object.assign(new Error(`${code}: scandir 'emails'`), { code });
};

describe('a folder of templates', () => {
  it.each([
    ['push', 'is missing', failing('ENOENT'), "emails can't be read"],
    ['push', 'is a file', failing('ENOTDIR'), "emails can't be read"],
    ['push', 'has no templates', () => ['README.md', '.templates.json'], 'emails has no templates'],
    ['diff', 'is missing', failing('ENOENT'), "emails can't be read"],
    ['diff', 'has no templates', () => [], 'emails has no templates'],
    ['pull', 'is a file', failing('ENOTDIR'), "emails can't be read"],
    ['pull', 'is forbidden', failing('EACCES'), "emails can't be read"],
  ])('is refused by %s when it %s', async (command, _, listFolder, words) => {
    const printed = await manage(`templates ${command} emails`, { ...twin, listFolder });

    expect(printed).toMatchObject({ exitCode: 2, words: expect.stringContaining(words) });
  });

  it('may be missing for pull', async () => {
    const { fetch } = fakeFetch({ body: { data: [], nextCursor: null } });

    const listFolder = failing('ENOENT');
    const { exitCode, output } = await manage('templates pull emails', {
      ...{ ...twin, fetch, listFolder },
    });

    expect({ exitCode, output }).toEqual({ exitCode: 0, output: 'All the same.\n' });
  });
});

import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../../infra/manage/failure.ts';
import { groups } from '../../../infra/manage/program.ts';
import { manage } from '../../support/manage-builder.ts';
import { leavesOf } from '../../support/manage-leaves.ts';

const leaves = await Promise.all(groups.map(leavesOf)).then((all) => all.flat());
const topics = groups.map(({ name }) => name);

const linesOf = (text: string) => text.split('\n');

describe('help', () => {
  it('has every topic on its first page, by subject', async () => {
    const { output } = await manage('help');

    for (const { name, section, description } of groups) {
      expect(output).toContain(`\n${section}:\n`);
      const line = linesOf(output).filter((one) => new RegExp(`^  ${name}[ |]`).test(one));
      expect(
        line.map((one) => one.endsWith(description)),
        name,
      ).toEqual([true]);
    }
    expect(await manage('--help')).toMatchObject({ output });
  });

  it.each(topics)('has every command of %s in one line', async (topic) => {
    const { output } = await manage(`help ${topic}`);

    const page = linesOf(output);
    for (const { line, summary } of leaves) {
      const [first, verb] = line.split(' ');
      if (first !== topic || verb === undefined) continue;
      const found = page.filter((one) => one.startsWith(`  ${verb}`) && one.endsWith(summary));
      expect(found, `${line}: ${summary}`).toHaveLength(1);
    }
    expect(await manage(`${topic} --help`)).toMatchObject({ output });
  });

  it.each([
    ['help sends show', 'sends show --help'],
    ['help sends show', 'sends show snd_1 --help'],
    ['help recipient', 'recipient ann@example.com -h'],
    ['help refused', 'help requests'],
    ['help webhooks list', 'webhooks list -h'],
  ])('%s is what %s shows', async (line, other) => {
    const { output, exitCode } = await manage(line);

    expect(output).toContain('Usage: npm run manage --');
    expect(await manage(other)).toEqual({ output, exitCode, words: '' });
  });

  it.each([
    ['help webhoks', 'Did you mean webhooks?'],
    ['webhoks --help', 'Did you mean webhooks?'],
    ['help webhooks lsit', 'Did you mean list?'],
    ['webhooks lsit --help', 'Did you mean list?'],
    ['help optoins', 'Did you mean options?'],
    ['help nonsense', "there's no help on 'nonsense'."],
  ])('%s suggests a topic or a command', async (line, suggestion) => {
    const { exitCode, output, words } = await manage(line);

    expect(words).toContain(suggestion);
    expect({ exitCode, output }).toEqual({ exitCode: 2, output: '' });
  });

  it('has the options and the exit codes of all commands on pages of their own', async () => {
    const options = await manage('help options');
    const codes = await manage('help exit-codes');

    expect(options.output).toMatch(/^ {2}--key-file <file> +file with the API key/m);
    expect(options.output).toContain('EMAIL_SERVICE_URL');
    for (const code of Object.values(exitCodes)) {
      expect(codes.output).toMatch(new RegExp(`^  ${code} +\\w`, 'm'));
    }
  });

  it('fits 80 columns on every page', async () => {
    const pages = ['', 'options', 'exit-codes', ...topics, ...leaves.map(({ line }) => line)];
    for (const page of pages) {
      const { output } = await manage(`help ${page}`);

      const wide = linesOf(output).filter((line) => line.length > 80);
      expect(wide, page).toEqual([]);
    }
  });
});

it('no command has an option that means something else to the whole program', async () => {
  const { output } = await manage('help options');
  const names = new Set([...output.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, name]) => name));
  const twice = leaves.flatMap(({ line, options }) =>
    options.filter((option) => names.has(option)).map((option) => `${line} ${option}`),
  );

  expect(names).toContain('--url');
  expect(twice).toEqual([]);
});

import { documentedCauses } from '#shared/send-history/verdict';

/** As Markdown: why an email didn't arrive, by the codes that all answers have. */
export const causeTable = (): string =>
  [
    '## Why an email didn’t arrive',
    'The `verdict` of an email says so by `code`, in a sentence, and with what to do next. It’s the same in the API, the console, webhooks and on the command line. `receiver` links the page of Gmail, Outlook, Yahoo or Apple that explains their reply.',
    [
      '| Code | Why | What to do |',
      '| --- | --- | --- |',
      ...documentedCauses().map(
        ({ code, meaning, next }) => `| \`${code}\` | ${sentence(meaning)} | ${next} |`,
      ),
    ].join('\n'),
  ].join('\n\n');

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

import type { Command } from 'commander';
import { suppressionReasons } from '#shared/suppressions/suppression';
import type { ApiClient } from '../api/client.ts';
import { drawTable } from '../drawing/columns.ts';
import { suppressionColumns } from '../drawing/suppressions.ts';
import { examples } from '../examples.ts';
import { needed } from '../needed-option.ts';
import type { OpenSession } from '../session.ts';
import { oneOf } from '../values.ts';

type Wanted = {
  readonly from: string;
  readonly until: string;
  readonly reason?: string;
  readonly diagnostic?: string;
};

export function addLiftMany(suppressions: Command, open: OpenSession): void {
  suppressions
    .command('lift-many')
    .description('Lifts those of a time and cause; looks only, unless --apply says otherwise')
    .addOption(needed('--from <time>', 'suppressed at this time or later'))
    .addOption(needed('--until <time>', 'and before this time'))
    .option('--reason <reason>', 'of this reason (default: bounce)', oneOf(suppressionReasons))
    .option('--diagnostic <words>', 'with these words in the diagnostic')
    .option('--apply', 'lift them')
    .addHelpText(
      'after',
      examples(
        'suppressions lift-many --from 2026-11-20 --until 2026-11-21 --diagnostic "SPF"',
        'suppressions lift-many --from 2026-11-20 --until 2026-11-21 --diagnostic "SPF" --apply',
      ),
    )
    .action(async (options: Wanted & { readonly apply?: boolean }, command: Command) => {
      const { terminal, asManager } = await open(command);
      const { apply = false, ...wanted } = options;
      const api = await asManager();
      const seen = await liftPages(api, wanted, true);
      if (apply && seen.matched > 0) {
        await terminal.confirm(`Lift ${seen.matched} suppressions?`);
        const { matched, lifted, removedFromProviderList } = await liftPages(api, wanted, false);
        const body = { dryRun: false, matched, lifted, removedFromProviderList };
        const ofProvider = `${removedFromProviderList} of them taken from SES's own list`;
        terminal.show(body, () => `${lifted} lifted, ${ofProvider}.`);
        return;
      }
      const { matched, examples: shown } = seen;
      const body = { dryRun: true, matched, examples: shown };
      terminal.show(body, (paint) =>
        matched === 0 ? '' : drawTable(shown, suppressionColumns, paint),
      );
      const howToLift = matched === 0 ? '' : ' Nothing was lifted: --apply does it.';
      terminal.say(`${matched} fit.${howToLift}`);
    });
}

/** Goes through all that fit, a request at a time. */
async function liftPages(api: ApiClient, wanted: Wanted, dryRun: boolean) {
  const { from, until, reason, diagnostic } = wanted;
  const request = { from, until, reason, diagnostic, dryRun };
  const ask = async (cursor?: string) => {
    const body = { ...request, cursor };
    return (await api.ask('POST /api/v1/suppressions/lift', { body })).value;
  };
  let page = await ask();
  const { examples } = page;
  let { matched, lifted, removedFromProviderList } = page;
  while (page.nextCursor !== null) {
    page = await ask(page.nextCursor);
    matched += page.matched;
    lifted += page.lifted;
    removedFromProviderList += page.removedFromProviderList;
  }
  return { matched, lifted, removedFromProviderList, examples };
}

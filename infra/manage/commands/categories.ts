import type { Command } from 'commander';
import type { EntryOf } from '../api/answers.ts';
import { showList } from '../drawing/listing.ts';
import { type Column, drawTable, foreign } from '../drawing/text-table.ts';
import { examples, needed } from '../options.ts';
import type { Sessions } from '../session.ts';

type Category = EntryOf<'GET /api/v1/categories'>;

const columns = [
  ['KEY', ({ key }) => key],
  ['NAME', ({ name }) => foreign(name)],
] as const satisfies readonly Column<Category>[];

export function addCategories(categories: Command, sessions: Sessions): void {
  addList(categories, sessions);
  addCreate(categories, sessions);
  addRename(categories, sessions);
  addDelete(categories, sessions);
}

function addList(categories: Command, sessions: Sessions): void {
  categories
    .command('list')
    .description('Lists categories')
    .addHelpText('after', examples('categories list'))
    .action(async (_options, command: Command) => {
      const { api, terminal } = await sessions.asManager(command);
      const ask = () => api.ask('GET /api/v1/categories');
      await showList(terminal, { ask, columns, whenEmpty: 'No categories.' });
    });
}

function addCreate(categories: Command, sessions: Sessions): void {
  categories
    .command('create')
    .argument('<key>', 'its key')
    .description('Creates a category')
    .addOption(needed('--name <name>', 'the name recipients see'))
    .addHelpText('after', examples('categories create offers --name "Special offers"'))
    .action(async (key: string, { name }: { readonly name: string }, command: Command) => {
      const { api, terminal } = await sessions.asManager(command);
      const answer = await api.ask('POST /api/v1/categories', { body: { key, name } });
      terminal.show(answer, (paint) => drawTable([answer], columns, paint));
    });
}

function addRename(categories: Command, sessions: Sessions): void {
  categories
    .command('rename')
    .argument('<key>', 'the key of a category')
    .description('Renames a category; its key stays')
    .addOption(needed('--name <name>', 'the name recipients see'))
    .addHelpText('after', examples('categories rename offers --name Offers'))
    .action(async (key: string, { name }: { readonly name: string }, command: Command) => {
      const { api, terminal } = await sessions.asManager(command);
      const request = { path: { key }, body: { name } };
      const answer = await api.ask('PATCH /api/v1/categories/{key}', request);
      terminal.show(answer, (paint) => drawTable([answer], columns, paint));
    });
}

function addDelete(categories: Command, sessions: Sessions): void {
  categories
    .command('delete')
    .argument('<key>', 'the key of a category')
    .description('Deletes a category that no policy uses')
    .addHelpText('after', examples('categories delete offers'))
    .action(async (key: string, _options, command: Command) => {
      const { api, terminal } = await sessions.asManager(command);
      await terminal.confirm(`Delete the category ${key}?`);
      await api.tell('DELETE /api/v1/categories/{key}', { path: { key } });
      terminal.say(`${key} was deleted.`);
    });
}

import type { Command } from 'commander';
import { asks, lists, tells } from '../actions.ts';
import type { EntryOf } from '../api/answers.ts';
import { type Column, drawRow, foreign } from '../drawing/text-table.ts';
import { examples, needed } from '../options.ts';
import type { Sessions } from '../session.ts';

type Category = EntryOf<'GET /api/v1/categories'>;

const columns = [
  ['KEY', ({ key }) => key],
  ['NAME', ({ name }) => foreign(name), 'below'],
] as const satisfies readonly Column<Category>[];

const drawCategory = drawRow<Category>(columns);

export function addCategories(categories: Command, { asManager }: Sessions): void {
  categories
    .command('list')
    .description('Lists categories')
    .addHelpText('after', examples('categories list'))
    .action(lists(asManager, 'GET /api/v1/categories', { columns, whenEmpty: 'No categories.' }));
  categories
    .command('create')
    .argument('<key>', 'its key')
    .description('Creates a category')
    .addOption(needed('--name <name>', 'the name recipients see'))
    .addHelpText('after', examples('categories create offers --name "Special offers"'))
    .action(asks(asManager, 'POST /api/v1/categories', drawCategory));
  categories
    .command('rename')
    .argument('<key>', 'the key of a category')
    .description('Renames a category; its key stays')
    .addOption(needed('--name <name>', 'the name recipients see'))
    .addHelpText('after', examples('categories rename offers --name Offers'))
    .action(asks(asManager, 'PATCH /api/v1/categories/{key}', drawCategory));
  categories
    .command('delete')
    .argument('<key>', 'the key of a category')
    .description('Deletes a category that no policy uses')
    .addHelpText('after', examples('categories delete offers'))
    .action(
      tells(asManager, 'DELETE /api/v1/categories/{key}', ({ key }) => `${key} was deleted.`, {
        confirm: ({ key }) => `Delete the category ${key}?`,
      }),
    );
}

import { call } from '../api-client.ts';
import { announce } from '../shared/announce.tsx';
import { ConfirmButton } from '../shared/buttons.tsx';
import { ChangeForm, Field } from '../shared/form.tsx';
import { Empty } from '../shared/states.tsx';
import { Foreign } from '../shared/text.tsx';
import { type Category, type Policy, policiesNaming } from './policy.ts';

type Changed = { onChanged: () => void };

/** What people can choose on the preference page. */
export const CategoryList = ({
  categories,
  policies,
  onChanged,
}: Changed & { categories: readonly Category[]; policies: readonly Policy[] }) => (
  <>
    <details>
      <summary>Make a category</summary>
      <ChangeForm
        submit="Make it"
        act={async (typed) => {
          const body = { key: typed('key') ?? '', name: typed('name') ?? '' };
          await call('POST /api/v1/categories', { body });
          announce('The category is made');
          onChanged();
        }}
      >
        <Field
          label="Name of the category"
          name="name"
          hint="As people read it: “Offers”"
          required
        />
        <Field
          label="Key of the category"
          name="key"
          hint="As policies name it: “offers”. It stays when the name changes"
          required
        />
      </ChangeForm>
    </details>
    {categories.length === 0 && (
      <Empty>None: the preference page offers all or nothing. Make one to offer a choice.</Empty>
    )}
    <ul class="rows">
      {categories.map((category) => (
        <Row
          key={category.key}
          category={category}
          naming={policiesNaming(category, policies)}
          onChanged={onChanged}
        />
      ))}
    </ul>
  </>
);

function Row({
  category: { key, name },
  naming,
  onChanged,
}: Changed & { category: Category; naming: readonly string[] }) {
  return (
    <li>
      <span class="wide">
        <b>
          <Foreign text={name} />
        </b>{' '}
        <code>{key}</code>
        <br />
        <span class="quiet">
          {naming.length > 0
            ? `Used by ${naming.join(', ')}, so it cannot be deleted.`
            : 'No policy uses it: no email respects it yet.'}
        </span>
        <details>
          <summary aria-label={`Rename the category ${name}`}>Rename</summary>
          <ChangeForm
            submit="Rename it"
            act={async (typed) => {
              const body = { name: typed('name') ?? '' };
              await call('PATCH /api/v1/categories/{key}', { path: { key }, body });
              announce('The category is renamed');
              onChanged();
            }}
          >
            <Field label="New name" name="name" value={name} required />
          </ChangeForm>
        </details>
      </span>
      {naming.length === 0 && (
        <ConfirmButton
          label="Delete…"
          name={`Delete the category ${name}`}
          question="Delete this category?"
          yes="Delete it"
          act={async () => {
            await call('DELETE /api/v1/categories/{key}', { path: { key } });
            announce('The category is deleted');
            onChanged();
          }}
        >
          <p>
            It leaves the preference page. Who left it stays so when a new category gets the key{' '}
            <code>{key}</code>.
          </p>
        </ConfirmButton>
      )}
    </li>
  );
}

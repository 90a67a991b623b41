import { call } from '../api-client.ts';
import { toast } from '../parts/announce.tsx';
import { ConfirmButton } from '../parts/buttons.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { ChangeForm, Field } from '../parts/form.tsx';
import { Empty } from '../parts/states.tsx';
import { Foreign } from '../parts/text.tsx';
import { type Category, type Policy, policiesNaming } from './policy.ts';

type Changed = { onChanged: () => void };

/** The choices on the preference page. */
export const CategoryList = ({
  categories,
  policies,
  onChanged,
}: Changed & { categories: readonly Category[]; policies: readonly Policy[] }) => (
  <>
    <div class="section">
      <h2>Categories</h2>
      <DialogButton label="Create category" title="Create a category">
        <ChangeForm
          submit="Create category"
          act={async (typed) => {
            const body = { key: typed('key') ?? '', name: typed('name') ?? '' };
            await call('POST /api/v1/categories', { body });
            toast('Category created');
            onChanged();
          }}
        >
          <Field
            label="Category name"
            name="name"
            hint="What people see, such as “Offers”"
            required
          />
          <Field
            label="Category key"
            name="key"
            hint="What policies refer to, such as “offers”. It can’t be changed later."
            required
          />
        </ChangeForm>
      </DialogButton>
    </div>
    {categories.length === 0 && (
      <Empty title="No categories">
        The preference page offers all or nothing. Create a category to offer a choice.
      </Empty>
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
            ? `Used by ${naming.join(', ')}, so it can’t be deleted.`
            : 'No policy uses it yet, so it doesn’t affect any email.'}
        </span>
      </span>
      <span class="buttons">
        <DialogButton
          label="Rename…"
          name={`Rename the category ${name}`}
          title="Rename this category"
          look="small"
        >
          <ChangeForm
            submit="Rename"
            act={async (typed) => {
              const body = { name: typed('name') ?? '' };
              await call('PATCH /api/v1/categories/{key}', { path: { key }, body });
              toast('Category renamed');
              onChanged();
            }}
          >
            <Field label="New name" name="name" value={name} required />
          </ChangeForm>
        </DialogButton>
        {naming.length === 0 && (
          <ConfirmButton
            label="Delete…"
            name={`Delete the category ${name}`}
            question="Delete this category?"
            yes="Delete"
            act={async () => {
              await call('DELETE /api/v1/categories/{key}', { path: { key } });
              toast('Category deleted');
              onChanged();
            }}
          >
            <p>
              It disappears from the preference page. If a new category gets the key{' '}
              <code>{key}</code>, people who left it stay out.
            </p>
          </ConfirmButton>
        )}
      </span>
    </li>
  );
}

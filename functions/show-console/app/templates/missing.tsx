import { announce } from '../shared/announce.tsx';
import { count } from '../shared/format.ts';
import { Foreign } from '../shared/text.tsx';
import { sampleOf, withMissing } from './sample.ts';
import { asJson, type TypedTemplate, textsOf } from './typed-template.ts';

/** The variables that the sample has no value for. */
export function MissingVariables({
  typed,
  missing,
}: {
  typed: TypedTemplate;
  missing: readonly string[];
}) {
  if (missing.length === 0) return null;
  const { draft, variables, change } = typed;
  const add = () => {
    const sample = sampleOf(textsOf(draft));
    change({ variables: asJson(withMissing(valuesIn(variables), sample)) });
    announce('The sample variables are complete');
  };
  return (
    <div class="notice warn">
      <p>
        {count(missing.length, 'variable has', 'variables have')} no value, and nothing stands in
        its place: <Foreign text={missing.join(', ')} most={400} />
      </p>
      <p>
        <button type="button" class="small" onClick={add}>
          Add to the sample
        </button>
      </p>
    </div>
  );
}

/** What cannot be read holds nothing that could be kept. */
function valuesIn(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

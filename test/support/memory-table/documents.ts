import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type Item, memberOf } from './item-values.ts';
import type { DocumentPath } from './placeholders.ts';
import { refuse } from './refusals.ts';

/** Reading and changing what lies at a path of an item. */

export function valueAt(item: Item, path: DocumentPath): AttributeValue | undefined {
  let value: AttributeValue | undefined;
  let members: Item | undefined = item;
  for (const element of path) {
    value =
      typeof element === 'number' ? value?.L?.[element] : members && memberOf(members, element);
    members = value?.M;
  }
  return value;
}

/** What is to lie at a path; nothing where it is to be removed. */
export type Change = { readonly path: DocumentPath; readonly value: AttributeValue | undefined };

type ChangeTree = {
  change?: Change;
  readonly children: Map<string | number, ChangeTree>;
};

/** @throws DynamoDBServiceException when two paths overlap, so that no order of them is right. */
export function requireApart(paths: readonly DocumentPath[]): void {
  if (paths.length > 1) growTree(paths.map((path) => ({ path, value: undefined })));
}

/**
 * The item with all changes made at once.
 *
 * @throws DynamoDBServiceException when two paths overlap, or one leads nowhere.
 */
export const changeItem = (item: Item, changes: readonly Change[]): Item =>
  changeMembers(item, growTree(changes).children);

function growTree(changes: readonly Change[]): ChangeTree {
  const root: ChangeTree = { children: new Map() };
  for (const change of changes) {
    const leaf = change.path.reduce(growBranch, root);
    if (leaf.change || leaf.children.size > 0) refuse('Two document paths overlap with each other');
    leaf.change = change;
  }
  return root;
}

function growBranch({ change, children }: ChangeTree, element: string | number): ChangeTree {
  if (change) refuse('Two document paths overlap with each other');
  const known = children.get(element);
  if (known) return known;
  const [sibling = element] = children.keys();
  if (typeof sibling !== typeof element) refuse('Two document paths conflict with each other');
  const branch: ChangeTree = { children: new Map() };
  children.set(element, branch);
  return branch;
}

function changeValue(value: AttributeValue | undefined, tree: ChangeTree) {
  if (tree.change) return tree.change.value;
  if (value?.M) return { M: changeMembers(value.M, tree.children) };
  return value?.L ? { L: changeElements(value.L, tree.children) } : refusePath();
}

function changeMembers(
  members: Readonly<Record<string, AttributeValue>>,
  changes: ChangeTree['children'],
): Record<string, AttributeValue> {
  const changed = { ...members };
  for (const [name, tree] of changes) {
    if (typeof name === 'number') return refusePath();
    const value = changeValue(memberOf(members, name), tree);
    if (value === undefined) delete changed[name];
    else changed[name] = value;
  }
  return changed;
}

/** What is set beyond the end is appended in the order of the positions. */
function changeElements(
  elements: readonly AttributeValue[],
  changes: ChangeTree['children'],
): AttributeValue[] {
  const changed: (AttributeValue | undefined)[] = [...elements];
  for (const [position, tree] of [...changes].sort(byPosition)) {
    if (typeof position === 'string') return refusePath();
    const value = changeValue(elements[position], tree);
    if (position < elements.length) changed[position] = value;
    else changed.push(value);
  }
  return changed.filter((element) => element !== undefined);
}

const byPosition = ([one]: [string | number, ChangeTree], [other]: [string | number, ChangeTree]) =>
  Number(one) - Number(other);

const refusePath = () =>
  refuse('The document path provided in the update expression is invalid for update');

/** Which of several figures rest on so little that luck may be the reason. */
export type Evidence = 'enough' | 'some-little' | 'all-little';

export const evidenceOf = (weak: readonly boolean[]): Evidence =>
  !weak.includes(true) ? 'enough' : weak.includes(false) ? 'some-little' : 'all-little';

/** Stands above the figures. A mark on each says nothing where each has one. */
export const EvidenceNote = ({ evidence }: { readonly evidence: Evidence }) =>
  evidence === 'all-little'
    ? 'There is little evidence yet: each rests on so few marks that luck may be the reason.'
    : evidence === 'some-little' && (
        <>
          <span aria-hidden="true">*</span> Little evidence: it rests on so few marks that luck may be the reason.
        </>
      );

/** On a figure that rests on little. */
export const EvidenceMark = ({ evidence }: { readonly evidence: Evidence }) =>
  evidence === 'some-little' && (
    <>
      <span aria-hidden="true">*</span>
      <span className="sr">, little evidence</span>
    </>
  );

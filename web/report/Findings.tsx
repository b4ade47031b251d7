// The findings and the advice of an audit.
export function Findings({ of }: { of: { findings: string[]; advice: string[] } }) {
  const list = (sentences: string[]) => (
    <ul class="findings">
      {sentences.map((one) => (
        <li key={one}>{one}</li>
      ))}
    </ul>
  );
  return (
    <>
      {list(of.findings)}
      {of.advice.length > 0 && (
        <>
          <h3>Advice</h3>
          {list(of.advice)}
        </>
      )}
    </>
  );
}

// The HTML file of a report. The program replaces three placeholders: {{title}}, {{summary}} (the text for readers
// without scripts) and {{result}} (the JSON). The Content-Security-Policy blocks all network requests.
export const template = (style, script) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<title>{{title}}</title>
<style>${style}</style>
</head>
<body>
<main id="report">{{summary}}</main>
<script type="application/json" id="result">{{result}}</script>
<script type="module">${script}</script>
</body>
</html>
`;

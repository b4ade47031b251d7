// Why numbers differ from the published ones: the network, the noise and the scale of the inputs.
import type { Causes } from "../result";
import { Table } from "../Table";

export function ReproducedCauses({ causes }: { causes: Causes }) {
  return (
    <section>
      <h2>Causes of the differences</h2>
      <Table
        caption="Effect of the network: how much slower 40 agents agree than 20"
        columns={["network", "λ, 20 agents", "λ, 40 agents", "ratio of errors"]}
        rows={causes.rates.map((one) => [one.network, one.lambda_20, one.lambda_40, one.ratio])}
      />
      <Table
        caption="Effect of the noise, and whether variances include it"
        columns={[
          "data",
          "noise",
          "variance",
          "agents",
          "degree",
          "error of the mean",
          "error of the variance",
        ]}
        rows={causes.variances.flatMap((one) =>
          one.rows.map((row) => [
            one.data,
            one.noise,
            one.variance,
            row.agents,
            row.degree,
            row.rmse_mean,
            row.rmse_variance,
          ]),
        )}
      />
      <Table
        caption="Effect of the scale of the inputs"
        columns={[
          "inputs",
          "hyperparameters",
          "noise",
          "length-scale",
          "signal",
          "test error",
          "test error of a constant",
          "deviation of predictions",
        ]}
        rows={causes.inputs.map((one) => [
          one.inputs,
          one.theta,
          one.noise,
          one.lengthscale,
          one.signal,
          one.test_rmse,
          one.constant_rmse,
          one.prediction_deviation,
        ])}
      />
    </section>
  );
}

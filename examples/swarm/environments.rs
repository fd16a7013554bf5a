//! The swarm: environments side by side in one set of columns, a space for each.

use widephase::{
    Columns, Error, Fan, Index, IndexOptions, Lists, Neighbor, Queries,
    columns::ScanColumns,
    shape::{Pose, Rotation},
};

/// Agents of an environment, and the obstacles there: four walls and a pillar.
pub(crate) const AGENTS: usize = 16;
pub(crate) const WALLS: usize = 5;
/// The side of an environment, and the radius of an agent.
pub(crate) const SIDE: f32 = 12.0;
pub(crate) const RADIUS: f32 = 0.4;
/// The observations of an agent: the number of neighbours, and the number of ranges.
pub(crate) const NEAREST: usize = 3;
pub(crate) const RAYS: usize = 16;
/// How far an agent sees, and how far it goes in a step.
pub(crate) const SIGHT: f32 = 20.0;
const STEP: f32 = 0.047;

/// Many environments of a few agents each, as for reinforcement learning.
pub(crate) struct Swarm {
    /// The centres of all agents, environment by environment, and the direction of each agent.
    pub(crate) x: Vec<f32>,
    pub(crate) y: Vec<f32>,
    pub(crate) going: Vec<[f32; 2]>,
    /// The agents, and all shapes: the agents of an environment, then its walls.
    agents: Index,
    scene: Index,
    columns: SceneColumns,
    fan: Fan,
    directions: [[f32; 2]; RAYS],
    /// The observations: the nearest agents of each agent, and its ranges, ray by ray.
    pub(crate) near: Lists<Neighbor>,
    pub(crate) scan: ScanColumns,
}

/// All shapes as rounded boxes, of which the agents have no core and the walls no radius.
#[derive(Default)]
struct SceneColumns {
    min_x: Vec<f32>,
    min_y: Vec<f32>,
    max_x: Vec<f32>,
    max_y: Vec<f32>,
    radius: Vec<f32>,
    /// The space of each shape and of each agent, and the row of each agent among the shapes.
    spaces: Vec<u32>,
    spaces_of_agents: Vec<u32>,
    rows_of_agents: Vec<u32>,
    poses: Vec<Pose>,
}

/// The walls of an environment, and its pillar, as left, lower, right and upper sides.
pub(crate) fn walls(environment: usize) -> [[f32; 4]; WALLS] {
    let at = 3.1 + (environment % 7) as f32 * 0.77;
    [
        [0.0, -1.0, SIDE, 0.0],
        [0.0, SIDE, SIDE, SIDE + 1.0],
        [-1.0, 0.0, 0.0, SIDE],
        [SIDE, 0.0, SIDE + 1.0, SIDE],
        [at, 5.0, at + 1.0, 6.5],
    ]
}

impl Swarm {
    pub(crate) fn new(environments: usize, options: IndexOptions) -> Result<Self, Error> {
        let count = environments * AGENTS;
        // Below and above the pillar, a little different in each environment.
        let place = |agent: usize| {
            let aside = (agent / AGENTS * 37 % 101) as f32 / 128.0;
            [1.0 + aside + (agent % 8) as f32 * 1.25, [1.5, 9.5][agent / 8 % 2]]
        };
        let x: Vec<f32> = (0..count).map(|agent| place(agent)[0]).collect();
        let y: Vec<f32> = (0..count).map(|agent| place(agent)[1]).collect();
        let step = std::f32::consts::TAU / RAYS as f32;
        let rotation = |ray: usize| Rotation::from_angle(ray as f32 * step);
        let directions = std::array::from_fn(|ray| [rotation(ray).cos, rotation(ray).sin]);
        let mut swarm = Self {
            x,
            y,
            going: (0..count).map(|agent| directions[agent * 5 % RAYS]).collect(),
            agents: Index::with_options(options)?,
            scene: Index::with_options(options)?,
            columns: SceneColumns::default(),
            fan: Fan::around(RAYS, SIGHT),
            directions,
            near: Lists::new(),
            scan: ScanColumns::new(),
        };
        swarm.columns.spaces_of_agents = (0..count).map(|agent| (agent / AGENTS) as u32).collect();
        Ok(swarm)
    }

    /// The directions of the rays.
    pub(crate) fn directions(&self) -> &[[f32; 2]; RAYS] {
        &self.directions
    }

    /// Observes: the nearest agents of each agent, and the ranges around it.
    pub(crate) fn observe(&mut self) -> Result<(), Error> {
        let Self { x, y, agents, scene, columns, fan, near, scan, .. } = self;
        columns.fill(x, y);
        let SceneColumns { min_x, min_y, max_x, max_y, radius, spaces, .. } = columns;
        let SceneColumns { spaces_of_agents, rows_of_agents, poses, .. } = columns;
        agents.rebuild(Columns::circles(x, y, RADIUS)?.with_spaces(spaces_of_agents)?)?;
        agents.k_nearest_of_rows(NEAREST, f32::INFINITY, near)?;
        let boxes = Columns::rounded_boxes(min_x, min_y, max_x, max_y, radius)?;
        scene.rebuild(boxes.with_spaces(spaces)?)?;
        scene.in_space(&*spaces_of_agents).without(&*rows_of_agents).scan(fan, poses, scan)
    }

    /// Moves all agents: each goes on, turns to where it sees furthest if something is ahead, and
    /// keeps away from its neighbours.
    pub(crate) fn step(&mut self) -> Result<(), Error> {
        self.observe()?;
        let Self { x, y, going, near, scan, directions, .. } = self;
        let (from_x, from_y) = (x.clone(), y.clone());
        for (agent, going) in going.iter_mut().enumerate() {
            let ranges = &scan.range[agent * RAYS..(agent + 1) * RAYS];
            let ahead = |going: [f32; 2]| {
                let cosine = |ray: &usize| {
                    let [dx, dy] = directions[*ray];
                    dx * going[0] + dy * going[1]
                };
                (0..RAYS).max_by(|a, b| cosine(a).total_cmp(&cosine(b))).unwrap_or(0)
            };
            if ranges[ahead(*going)] < 1.0 {
                let furthest = (0..RAYS).max_by(|a, b| ranges[*a].total_cmp(&ranges[*b]));
                *going = directions[furthest.unwrap_or(0)];
            }
            for neighbor in near.get(agent).iter().filter(|near| near.distance < 0.5) {
                let row = neighbor.row as usize;
                let away = [from_x[agent] - from_x[row], from_y[agent] - from_y[row]];
                *going = [going[0] + away[0] * 0.2, going[1] + away[1] * 0.2];
            }
            for ([dx, dy], _) in directions.iter().zip(ranges).filter(|(_, range)| **range < 0.7) {
                *going = [going[0] - dx * 0.2, going[1] - dy * 0.2];
            }
            let length = (going[0] * going[0] + going[1] * going[1]).sqrt().max(1e-6);
            *going = [going[0] / length, going[1] / length];
            if ranges[ahead(*going)] > RADIUS + 2.0 * STEP {
                x[agent] += going[0] * STEP;
                y[agent] += going[1] * STEP;
            }
        }
        Ok(())
    }
}

impl SceneColumns {
    /// Writes all shapes: the agents at their places, and the walls.
    fn fill(&mut self, x: &[f32], y: &[f32]) {
        let Self { min_x, min_y, max_x, max_y, radius, spaces, rows_of_agents, poses, .. } = self;
        for column in [&mut *min_x, min_y, max_x, max_y, radius] {
            column.clear();
        }
        spaces.clear();
        rows_of_agents.clear();
        poses.clear();
        for (environment, (x, y)) in x.chunks(AGENTS).zip(y.chunks(AGENTS)).enumerate() {
            let mut add = |sides: [f32; 4], own: f32| {
                for (column, side) in [&mut *min_x, min_y, max_x, max_y].into_iter().zip(sides) {
                    column.push(side);
                }
                radius.push(own);
                spaces.push(environment as u32);
            };
            for (&x, &y) in x.iter().zip(y) {
                rows_of_agents.push((environment * (AGENTS + WALLS) + poses.len() % AGENTS) as u32);
                poses.push(Pose::at([x, y]));
                add([x, y, x, y], RADIUS);
            }
            for sides in walls(environment) {
                add(sides, 0.0);
            }
        }
    }
}
